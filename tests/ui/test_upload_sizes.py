"""What is uploaded is refused by its size before anybody copies it or hands it to a job."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from discover_core.errors import InputError
from discover_core.policy import policy_upload
from discover_core.policy.policy_upload import check_sizes
from discover_core.scenario.json_file import MOST
from ui.app import page_jobs


def form():
    from ui.apply.policy_form import policy_form

    policy_form()


def scenario():
    from ui.app.scenario_import import uploader

    uploader("scenario_upload")


@pytest.fixture
def handed(monkeypatch) -> list[tuple]:
    jobs: list[tuple] = []
    monkeypatch.setattr(page_jobs, "start", lambda *arguments, **_: jobs.append(arguments))
    monkeypatch.setattr(page_jobs, "busy", lambda: False)
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)  # of an app that has no other page
    return jobs


def policy_files(app):
    return next(field for field in app.get("file_uploader") if field.label == "Policy")


def files(count, size=10):
    return [(f"model{i}.txt", b"x" * size, "text/plain") for i in range(count)]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [(files(21), "These are 21 files, more than the 20"), (files(3, 400), "These files have 0 MB, more than 0 MB together")],
)
def test_too_much_for_a_policy_is_given_up_with_a_sentence(handed, monkeypatch, chosen, said):
    monkeypatch.setattr(policy_upload, "CHOSEN", 1_000)
    app = AppTest.from_function(form, default_timeout=60).run()
    policy_files(app).set_value(chosen).run()
    assert not app.exception
    assert app.warning[0].value.startswith(said)
    assert policy_files(app).value == []
    assert handed == []
    policy_files(app).set_value(files(2)).run()
    assert not app.warning
    assert handed[0][1] == "read_policy"
    assert sorted(handed[0][2]) == ["model0.txt", "model1.txt"]


def test_a_policy_and_the_largest_model_fit():
    check_sizes([policy_upload.MOST, policy_upload.MAX_BYTES])
    with pytest.raises(InputError, match="more than 220 MB together"):
        check_sizes([policy_upload.MOST, policy_upload.MAX_BYTES, 2**20])


def test_the_field_for_scenarios_takes_what_is_read():
    app = AppTest.from_function(scenario, default_timeout=60).run()
    (field,) = app.get("file_uploader")
    assert field.proto.max_upload_size_mb * 2**20 == MOST
