"""Whom a piece of work is about: a demo and a scenario say so, a table of one's own says nothing until its user does."""

from dataclasses import replace

import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability
from discover_core.problem.presets import FITTED, PRESETS, QUICK
from discover_core.problem.settings import Settings
from discover_core.problem.targets import Threshold
from discover_core.scenario.sources import SampleTable, TableFile
from discover_core.table import Cohort, Dataset, Rule, Schema
from discover_core.workers.page_jobs import open_sample
from discover_core.workers.page_results import OpenTable
from tests.workers.scenarios import german
from ui.app import session
from ui.app.session import Work

TABLE = pd.DataFrame({"age": range(30, 60), "town": ["Ulm", "Bonn", "Köln"] * 10})
SCHEMA = Schema.infer(TABLE)
DATASET = Dataset.of(TABLE, SCHEMA)
OWN = OpenTable(DATASET.summary, Actionability.default(SCHEMA), TableFile("people.csv"))


def test_an_own_table_is_about_nobody_until_somebody_says_so():
    own = Work.of(OWN, DATASET)
    assert not own.decided
    with pytest.raises(InputError, match="Whom is it about"):
        _ = own.group
    assert len(replace(own, everybody=True).group) == 30
    ruled = replace(own, cohort=Cohort((Rule("town", "is", ("Ulm",)),)))
    assert len(ruled.group) == 10
    assert not replace(ruled, cohort=Cohort()).decided  # the rule is removed: it does not silently become everybody
    assert not replace(own, cohort=Cohort(sample=5)).decided  # five of whom?
    assert replace(own, cohort=Cohort(score_side="above", score_value=0.5)).decided


def test_a_demo_starts_with_a_quick_look_and_an_own_table_with_what_it_needs():
    assert Work.of(replace(OWN, source=SampleTable("compas")), DATASET).draft.fitted == QUICK
    assert Work.of(OWN, DATASET).draft.fitted == FITTED


def test_demos_and_scenarios_have_said_it():
    assert Work.of(replace(OWN, source=SampleTable("compas")), DATASET).decided
    assert Work.of(replace(OWN, scenario=german()), DATASET).decided


def test_a_draft_knows_whom_it_needs_and_what_nobody_scores(tmp_path, monkeypatch):
    """Settings follow the group and the wish until somebody changes them; a threshold beyond everybody is pointed out."""
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    opened = open_sample("german_credit", lambda share, doing: None)
    work = Work.of(opened, opened.dataset())
    assert work.to_help == round(0.5 * len(work.group)) == 100
    assert work.settings == PRESETS[QUICK].settings(200, len(work.actions.editable), 100)  # a demo starts with a quick look
    assert work.settings.k == 4
    assert work.beyond is None
    more = replace(work, draft=replace(work.draft, target=Threshold(0.5, 0.8, "below")))
    assert more.to_help == round(0.8 * len(work.group)) == 160
    assert more.settings.k == 7
    fitted = replace(more, draft=replace(more.draft, fitted=FITTED, settings=Settings(seed=3, encoding="label")))
    suited = PRESETS[FITTED].settings(200, len(work.actions.editable), 160)
    assert fitted.settings == replace(suited, seed=3, encoding="label")
    own = replace(more, draft=replace(more.draft, fitted=None, settings=Settings(k=7)))
    assert own.settings == Settings(k=7)
    none = replace(work, draft=replace(work.draft, target=Threshold(float(work.scores.min()) / 2, 0.5, "below")))
    assert none.beyond is not None
    assert none.beyond.startswith("Nobody in the whole table scores at or below")


def test_what_was_found_out_about_a_group_outlives_another_question(monkeypatch):
    monkeypatch.setattr(session.st, "session_state", {})
    work = replace(Work.of(OWN, DATASET), everybody=True)
    session.keep(work)
    study = work.study
    session.ask(name="Another")
    assert session.current() is not work
    assert session.current().study is study
    session.update(cohort=Cohort((Rule("town", "is", ("Ulm",)),)))
    assert session.current().study is not study
    assert len(session.current().group) == 10


def test_a_target_is_made_once_and_anew_for_another_wish(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    opened = open_sample("german_credit", lambda share, doing: None)
    study = Work.of(opened, opened.dataset()).study
    half, more = Threshold(0.5, 0.5, "below"), Threshold(0.5, 0.8, "below")
    assert study.target(half) is study.target(half)
    assert study.target(more).past == more.past
    assert study.target(half).past == half.past
