"""People picked in the charts whose marks stand for many: the plan shows exactly those whom the stored run has there."""

import numpy as np
import pytest
from numpy.typing import ArrayLike
from playwright.sync_api import Page, expect

from discover_core.figures.features import moved
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.store.store import Store

from .conftest import Visit, settle
from .drawn import chart, click_at, draw_box, traces
from .test_results import listed, look_at, people_words


@pytest.fixture
def found(store: Store, solved: str) -> RunOutcome:
    return RunOutcome.open(store, solved)


def test_a_range_of_scores_a_level_and_a_group_pick_their_people(visit: Visit, found: RunOutcome):
    page = visit(f"results?run={found.progress.run.id}")
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    look_at(page, "Who bears it")
    group = found.schema.feature_names[0]
    expect(page.get_by_role("combobox", name="Groups by")).to_have_value(group)
    first = chart(page, "differences").evaluate("plot => plot._fullLayout.yaxis.ticktext[0]").partition(" (")[0]
    click_at(page, "differences", 0.05, 0)
    says_picked(page, found, found.before[group] == first)

    look_at(page, "Scores and features")
    middle = np.sort(found.outputs)[len(found.outputs) // 5 : -len(found.outputs) // 5]
    at = int(np.diff(middle).argmax())
    edge = float(middle[at : at + 2].mean())  # where a pixel more or less is nobody more or less
    start, end = chart(page, "scores").evaluate("plot => plot._fullLayout.xaxis.range")
    draw_box(page, "scores", 0.0, (edge - start) / (end - start))
    says_picked(page, found, found.outputs <= edge)

    name = next(name for name, _ in moved(found.before, found.after, found.schema) if found.schema[name].role == "nominal")
    feature = f"feature-{found.schema.feature_names.index(name)}"
    shares = traces(chart(page, feature))[1]["x"]
    longest = int(np.argmax(shares))
    level = chart(page, feature).evaluate("(plot, bar) => plot._fullLayout.yaxis.ticktext[bar]", longest)
    click_at(page, feature, shares[longest] / 2, longest + 0.2)  # the bar for after is the lower one
    people = says_picked(page, found, found.after[name] == level)
    look_at(page, "The plan")
    plan = people & set(found.movers.tolist())
    assert 0 < len(plan) < len(found.movers)
    assert listed(page) == {int(found.group.rows[person]) + 1 for person in plan}


def says_picked(page: Page, found: RunOutcome, wanted: ArrayLike) -> set[int]:
    """These people, their number on the page."""
    people = set(np.flatnonzero(wanted).tolist())
    assert 0 < len(people) < len(found.outputs)
    expect(page.get_by_text(f"{people_words(len(people))} of {len(found.outputs)} marked")).to_be_visible()
    expect(page.get_by_role("button", name="Show everybody")).to_be_visible()
    return people
