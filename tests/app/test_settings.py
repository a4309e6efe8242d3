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
