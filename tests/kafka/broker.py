"""One Apache Kafka broker for tests: from the jars that pom.xml lists, or one that is given."""

import contextlib
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient


POM = Path(__file__).with_name("pom.xml")
CLUSTER = "AAAAAAAAAAAAAAAAAAAAAQ"
START_SECONDS = 100
BELOW_EPHEMERAL = (15_000, 30_000)
JAVA = (
    *("java", "-Xmx256m", "-Xms128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
    "-Dlog4j2.level=WARN",
)
SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={folder}/data
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
log.cleaner.dedupe.buffer.size=4194304
log.cleaner.threads=1
num.network.threads=2
num.io.threads=2
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
"""


def given():
    """The address of a broker that is there already; None to start one."""
    return os.environ.get("BILLSTREAM_TEST_KAFKA")


def jars():
    """The folder of the broker's jars, fetched once for each state of pom.xml."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "billstream"
    folder = cache / f"kafka-{hashlib.sha256(POM.read_bytes()).hexdigest()[:12]}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix="kafka-", dir=cache))
        fetch = ["mvn", "-q", "-B", "-f", POM, "dependency:copy-dependencies"]
        subprocess.run([*fetch, f"-DoutputDirectory={draft}", "-DincludeScope=runtime"], check=True)
        try:
            draft.rename(folder)
        except OSError:  # another run was faster
            shutil.rmtree(draft)
    return folder


def free_ports(count):
    """Ports that nobody listens on, nor will be given by the kernel while a broker is away."""
    found = set()
    while len(found) < count:
        port = random.SystemRandom().randrange(*BELOW_EPHEMERAL)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            found.add(port)
    return sorted(found)


class Broker:
    """One broker with its folder; it can be stopped, killed and started again."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.port, controller = free_ports(2)
        self.address = f"127.0.0.1:{self.port}"
        self._process = None
        self._settings = self.folder / "server.properties"
        self._settings.write_text(
            SETTINGS.format(folder=self.folder, port=self.port, controller=controller)
        )
        self._run("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", self._settings)

    def start(self):
        """Return once it answers."""
        log = (self.folder / "broker.log").open("ab")
        self._process = subprocess.Popen(
            self._command("kafka.Kafka", self._settings), stdout=log, stderr=log
        )
        log.close()
        client = AdminClient({"bootstrap.servers": self.address, "log_level": 0})
        deadline = time.monotonic() + START_SECONDS
        while not self._answers(client):
            assert self._process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
        return self

    def stop(self):
        """Let it shut down cleanly."""
        self._end(signal.SIGTERM)

    def kill(self):
        """As a power cut would."""
        self._end(signal.SIGKILL)

    def said(self):
        """The end of its log."""
        return (self.folder / "broker.log").read_text(errors="replace")[-4000:]

    def _end(self, number):
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(60)
            self._process = None

    def _answers(self, client):
        try:
            return bool(client.list_topics(timeout=1).brokers)
        except KafkaException:
            return False

    def _command(self, program, *arguments):
        return [*JAVA, "-cp", f"{jars()}/*", program, *map(str, arguments)]

    def _run(self, program, *arguments):
        command = self._command(program, *arguments)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
