"""Settings come from the environment, options win, and a wrong one is named."""

from pathlib import Path

import pytest

from adapters.cannot_start import CannotStart
from app import settings
from kernel.tenant import Environment


def test_variables_are_fields_and_options_win():
    found = settings.read(
        {"BILLSTREAM_ENVIRONMENT": "production", "BILLSTREAM_PORT": "9000", "PATH": "/bin"},
        port=9001,
        edge_port=None,
    )
    assert (found.environment, found.port, found.edge_port) == (Environment.PRODUCTION, 9001, 8001)


def test_an_empty_variable_is_an_unset_one():
    assert settings.read({"BILLSTREAM_DATABASE_URL": ""}).database_url is None


def test_the_data_folder_does_not_depend_on_the_working_folder(tmp_path, monkeypatch):
    before = settings.read({}).data_dir
    monkeypatch.chdir(tmp_path)
    assert settings.read({}).data_dir == before
    assert settings.read({}, data_dir=Path("here")).data_dir == tmp_path / "here"


def test_a_wrong_variable_is_named():
    with pytest.raises(CannotStart, match="BILLSTREAM_ENVIRONMENT"):
        settings.read({"BILLSTREAM_ENVIRONMENT": "staging"})


def test_secrets_do_not_show_when_printed():
    assert "hush" not in repr(settings.read({"BILLSTREAM_SERVER_KEY": "hush"}))


def test_settings_of_the_stream_are_handed_to_the_client():
    found = settings.read(
        {
            "BILLSTREAM_KAFKA_BOOTSTRAP": "one:9092, two:9092",
            "BILLSTREAM_KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
            "BILLSTREAM_KAFKA_SSL_CHECK_HOSTNAME": "false",
            "BILLSTREAM_KAFKA_SASL_MECHANISM": "SCRAM-SHA-512",
            "BILLSTREAM_KAFKA_SASL_PLAIN_PASSWORD": "hush",
            "BILLSTREAM_KAFKA_REPLICATION_FACTOR": "3",
        }
    ).kafka
    options = found.access.options
    assert options["bootstrap_servers"] == ["one:9092", "two:9092"]
    assert options["security_protocol"] == "SASL_SSL"
    assert options["ssl_check_hostname"] is False
    assert options["sasl_plain_password"] == "hush"
    assert found.access.replication == 3
    assert "hush" not in repr(found)


def test_without_a_broker_there_is_no_stream():
    assert settings.read({"BILLSTREAM_KAFKA_SECURITY_PROTOCOL": "SSL"}).kafka is None


def test_a_wrong_variable_of_the_stream_is_named():
    given = {"BILLSTREAM_KAFKA_BOOTSTRAP": "one:9092"}
    for name, value in (("REPLICATION_FACTOR", "many"), ("SASL_MECANISM", "PLAIN")):
        with pytest.raises(CannotStart, match=f"BILLSTREAM_KAFKA_{name}"):
            settings.read(given | {f"BILLSTREAM_KAFKA_{name}": value})
