"""The commands of compose.yaml, run as real processes over one database, behave as one engine."""

import re
import shlex
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
import yaml

from tests.patient import Patient
from tests.processes import Process, running
from wire.http.split import QUERIES


pytestmark = [pytest.mark.postgres, pytest.mark.journey]

ROOT = Path(__file__).resolve().parents[2]
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
COMMANDS = {
    name: service["command"][1:]
    for name, service in SERVICES.items()
    if service.get("command", [""])[0] == "./billstream"
}
NGINX = (ROOT / "deploy" / "nginx.conf").read_text()
ADA = {"customerId": "ada", "name": "Ada", "email": "ada@example.com"}


@pytest.fixture
def variables(empty_database_url):
    """The environment of each process; no broker answers, the ports are free ones."""
    return {
        "BILLSTREAM_DATABASE_URL": empty_database_url,
        "BILLSTREAM_MASTER_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
        "BILLSTREAM_PORT": "0",
        "BILLSTREAM_KAFKA_BOOTSTRAP": "127.0.0.1:9",
    }


@pytest.fixture
def processes(variables):
    """Every process of compose.yaml, started together on an empty database."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(running(*command, **variables))
            for name, command in COMMANDS.items()
        }


@pytest.fixture
def key(variables):
    begun = Process("organizations", "create", "default", "--merchant-of-record", **variables)
    assert begun.end() == 0
    made = Process("keys", "create", "--kind", "server", **variables)
    assert made.end() == 0
    return made.text


def client(process, key):
    address = re.search(r"http://\S+", process.text)[0]
    return httpx.Client(
        base_url=f"{address}/api/v1",
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
        transport=Patient(),
    )


def test_every_process_is_ready_and_a_write_is_read_through_another(processes, key):
    assert {"write-api", "read-api", "edge-api", "pages", "views", "reactions"} <= set(processes)
    with client(processes["write-api"], key) as write, client(processes["read-api"], key) as read:
        made = write.post("/customers/", json=ADA)
        assert made.status_code == 201
        position = {"Billstream-Position": made.headers["Billstream-Position"]}
        assert read.get("/customers/ada/", headers=position).json() == made.json()
        assert read.post("/customers/", json=ADA).status_code == 405
        assert "POST" in read.put("/customers/").headers["Allow"]
    for name in ("write-api", "read-api", "edge-api", "pages"):
        address = re.search(r"http://\S+", processes[name].text)[0]
        assert httpx.get(f"{address}/health/", timeout=60).json() == {"status": "ok"}
    assert "There is nothing here" in httpx.get(f"{address}/pay/nothing", timeout=60).text
    assert [process.stop() for process in processes.values()] == [0] * len(processes)


def test_an_unknown_app_or_worker_is_told(variables):
    for verb, known in (("serve", "write-api"), ("worker", "views")):
        process = Process(verb, "no-such-thing", **variables)
        assert process.end() == 1
        assert known in process.text


def test_the_proxy_knows_every_app_and_the_methods_of_queries():
    upstreams = re.findall(r"server ([a-z-]+):8000", NGINX)
    assert {shlex.join(COMMANDS[name]) for name in upstreams} == {
        "serve write-api",
        "serve read-api",
        "serve edge-api",
        "serve pages",
    }
    queries = re.findall(r"^\s+([A-Z]+) read_api;", NGINX, re.MULTILINE)
    assert set(queries) == QUERIES
