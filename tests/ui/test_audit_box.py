"""Green is left to a wish that is met and an audit that holds, as many answers as were audited with one group."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from discover_core.outcome.audit_digest import AuditDigest
from discover_core.policy.audit import Audit, Claim
from ui.app import tab_runs


def audit(looks: int, share: bool = True, inputs: bool = True) -> Audit:
    claims = [Claim(0.5, 0.4, holds, f"The {name} of {looks}") for name, holds in (("share", share), ("inputs", inputs))]
    return Audit(*claims, Claim(0.01, 0.02, True, "The outputs"), Claim(0.3, 0.4, True, "The people"), 100, 0.05, looks)


def digest(met: bool = True, **holds: bool) -> AuditDigest:
    return AuditDigest(
        tuple(audit(looks, **holds) for looks in (1, 2)),
        met=met,
        reached="Reached 30%",
        family="one",
        wanted=0.45,
        enough=381,
        known=0,
        likely=0.5,
    )


def script():
    import streamlit as st

    from ui.app.audit_box import audit_box

    st.session_state["good"] = audit_box(st.session_state["given"])


def shown(given: AuditDigest, looks: int, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(tab_runs, "looks_at", lambda family: looks)
    app = AppTest.from_function(script)
    app.session_state["given"] = given
    assert not app.run().exception
    return app


def test_met_and_held_is_green(monkeypatch):
    app = shown(digest(), 1, monkeypatch)
    assert app.session_state["good"]
    assert "The share of 1" in app.success[0].value
    assert not app.warning


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (digest(met=False), "The wish is missed. Reached 30%"),
        (digest(share=False), "About 390 would be enough if 50% of them get there."),
        (digest(inputs=False), "how far people move cannot be kept within its bound"),
    ],
)
def test_whatever_is_missing_is_said_and_is_not_green(given, said, monkeypatch):
    app = shown(given, 1, monkeypatch)
    assert not app.session_state["good"]
    assert not app.success
    assert said in app.warning[0].value


def test_several_answers_share_the_risk_and_too_many_promise_nothing(monkeypatch):
    app = shown(digest(), 2, monkeypatch)
    assert "The share of 2" in app.success[0].value
    assert "2 answers were audited with this group" in app.success[0].value
    app = shown(digest(), 3, monkeypatch)
    assert not app.session_state["good"]
    assert "**3 answers were audited with this group**, too many" in app.warning[0].value
    assert "The share" not in app.warning[0].value


def test_why_there_is_no_audit_is_said(monkeypatch):
    app = shown(AuditDigest(trouble="Too small"), 1, monkeypatch)
    assert "**Not audited.** Too small" in app.info[0].value


@pytest.mark.parametrize(
    ("known", "said"), [(7, "The model was trained on 7 of the 100 audited people"), (None, "If your model was")]
)
def test_what_the_model_knows_of_the_audited_people_is_said(known, said, monkeypatch):
    app = shown(replace(digest(), known=known), 1, monkeypatch)
    assert said in (app.warning if known else app.success)[0].value
    assert app.session_state["good"] == (known is None)
