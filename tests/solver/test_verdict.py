"""The verdict: met or not, certified or not, and never one in the words of the other."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import discover_core as dc
from discover_core.certificate.statement import Certificate
from discover_core.problem.bounds import Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.problem.wish import Wish, typical_gap
from discover_core.solver.result import Story
from discover_core.solver.spending import Spending
from discover_core.solver.verdict import Course, Verdict, judge

from .cases import mixed
from .test_allowance import problem as limited_problem

BEFORE = np.linspace(0.6, 0.9, 100)
HALF = Wish.of(Target.threshold(BEFORE, 0.5, 0.5, "below"), BEFORE)


def certificate(inputs=True, outputs=True, band="dkw", never="") -> Certificate:
    ucl = (0.1 if inputs else 0.9, 0.1 if outputs else 0.9)
    return Certificate(inputs and outputs, *ucl, Bounds(0.5, 0.5, band=band), None, "numbers", "in plain words", never)


def course(**changes) -> Course:
    given = {"settings": Settings(k=50, selection="rowwise"), "iterations": 20, "still": 10, "model_rows": 4000, "needed": 50}
    return Course(**(given | {"locked": (), "open": 5, "gap": typical_gap(BEFORE, HALF.target)} | changes))


def after(share: float) -> np.ndarray:
    outputs = BEFORE.copy()
    outputs[: round(100 * share)] = 0.4
    return outputs


def verdict(share=0.5, changed=50, given=None, **changes) -> Verdict:
    return judge(HALF, after(share), Spending(changed), given or certificate(), course(**changes))


def test_green_needs_the_wish_and_the_limits():
    good = verdict()
    assert (good.met, good.certified, good.status, good.help) == (True, True, "reached", ())
    assert good.sentence == "Reached. Score at or below 0.5: asked 50%, reached 50%, before 0%."
    assert good.certificate == "in plain words"
    assert (good.asked, good.reached, good.before, good.unit) == (0.5, 0.5, 0.0, "share")


def test_certified_limits_do_not_make_a_missed_wish_reached():
    poor = verdict(0.08)
    assert (poor.met, poor.certified, poor.status) == (False, False, "partly")
    assert poor.certificate.startswith("Not certified: both limits hold, but a certificate takes 90% of the way")
    assert poor.sentence == "Partly: 8 of the 50 points asked. Score at or below 0.5: asked 50%, reached 8%, before 0%."
    assert any("smaller U_y" in way for way in poor.help)
    assert any(way.startswith("A smaller wish: 8% at or below 0.5") for way in poor.help)
    most = verdict(0.46)  # nine tenths of the way: certified, though not all that was asked
    assert (most.met, most.certified, most.status, most.certificate) == (False, True, "partly", "in plain words")
    none = verdict(0.0)
    assert (none.status, none.sentence[:59]) == ("missed", "Not reached: no more of the group are there than before. Sc")


def test_a_wish_that_is_met_outside_the_limits_is_not_certified():
    for given, says in ((certificate(inputs=False), "U_x"), (certificate(outputs=False), "U_y")):
        found = verdict(given=given)
        assert (found.met, found.certified, found.status) == (True, False, "uncertified")
        assert found.sentence.startswith("Reached, but not certified.")
        assert says in " ".join(found.help)


def test_a_bootstrap_is_never_called_certified():
    found = verdict(given=certificate(band="bootstrap"))
    assert (found.met, found.certified, found.status) == (True, False, "reached")


def test_never_possible_says_why():
    small = verdict(given=certificate(inputs=False, never="with 50 rows the limit is infinite."))
    assert (small.status, small.certificate) == ("impossible", "No certificate could be had: with 50 rows the limit is infinite.")
    stuck = verdict(0.0, changed=0, given=certificate(outputs=False))
    assert stuck.status == "impossible"
    assert stuck.sentence.startswith("It was not possible: no change that was tried brings anybody closer.")
    assert "4,000 changed versions were tried" in stuck.certificate
    assert verdict(0.0, changed=0, given=certificate(outputs=False), still=2).status == "missed"  # too early to say


def test_nobody_changed_says_so():
    already = judge(HALF, after(0.6), Spending(0), certificate(), course())
    assert (already.status, already.met) == ("unchanged", True)
    assert already.sentence.startswith("Nobody changes: the wish is met as it is.")
    loose = verdict(0.0, changed=0)
    assert (loose.status, loose.met, loose.help) == ("unchanged", False, ())
    assert loose.sentence.startswith("Nobody changes: the bounds already hold for the group as it is.")
    assert loose.certificate.endswith("for something to happen, lower U_y.")
    tied = verdict(0.0, changed=0, budget=Budget(effort=1e-6))
    assert (tied.status, tied.help[0]) == (
        "unchanged",
        "More effort per person: the budget allows 0.000001 each; 50 points are missing.",
    )
    assert tied.certificate.endswith("That is so without any change.")
    assert any(way.startswith("Less room for the scores") for way in tied.help)


@pytest.mark.parametrize("budget", [Budget(effort=1e-6), Budget(total_effort=1e-9), Budget()])
def test_a_personal_search_goes_on_when_bounds_hold_so_they_are_not_to_blame(budget):
    personal = Settings(k=50, iterations=200)
    given = judge(HALF, after(0.0), Spending(0), certificate(), course(settings=personal, budget=budget))
    assert (given.status, given.met) == ("impossible", False)
    assert not any("U_y" in said for said in (given.certificate, *given.help))
    assert any("the budget allows" in way for way in given.help) == (not budget.empty)
    stops = replace(personal, stop_when_certified=True)
    given = judge(HALF, after(0.0), Spending(0), certificate(), course(settings=stops, budget=budget))
    assert given.status == "unchanged"
    early = judge(HALF, after(0.2), Spending(20), certificate(), course(settings=stops, budget=budget))
    assert any(way.startswith("Less room for the scores") for way in early.help)
    assert not any(way.startswith(("More features", "More iterations")) for way in early.help)
    far = judge(HALF, after(0.2), Spending(20), certificate(inputs=False), course(settings=stops, budget=budget))
    assert not any(way.startswith("Less room for the scores") for way in far.help)


def test_a_personal_search_that_was_cut_off_needs_more_iterations():
    personal, more = Settings(k=50, iterations=20), "More iterations: the run ended before"
    for still in (0, 5):
        assert any(way.startswith(more) for way in verdict(0.2, settings=personal, still=still).help)
    rests = replace(personal, iterations=200)
    assert not any(way.startswith("More iterations") for way in verdict(0.2, settings=rests).help)
    assert any(way.startswith(more) for way in verdict(0.2, settings=rests, ended=False).help)
    assert not any(way.startswith("More features per person") for way in verdict(0.2, settings=rests, ended=False).help)
    assert not any(way.startswith("More iterations") for way in verdict(settings=personal).help)


def test_a_run_that_was_stopped_or_broke_was_cut_off():
    problem, settings = mixed(30, Target.threshold(mixed(30).outputs, 0.2, 1.0, "below")), Settings(k=2, iterations=60)
    story = Story(problem, settings)
    for step in islice(dc.solve(problem, settings), 3):
        story.add(step)
    assert story.result(stopped=True).course.cut
    assert story.result("The model broke.").course.cut
    whole = dc.run(problem, replace(settings, iterations=500))
    assert not whole.course.cut
    assert whole.course.exhausted(whole.certificate)


def test_what_would_help_follows_from_what_happened():
    few = verdict(0.2, settings=Settings(k=2, selection="rowwise"), iterations=5, needed=50)
    assert few.help[0].startswith("More people per iteration: 2 in each of 5 iterations are at most 10 people, and about 50 have")
    assert verdict(0.2, still=0).help[0].startswith("More iterations")
    everybody = verdict(0.2, settings=Settings(k=2, h=3, iterations=200), iterations=50, still=0).help  # had their turn
    assert everybody[0] == "More features per person: at most 3 of a person’s features changed together."
    assert not any(way.startswith(("More people", "More iterations", "Less room")) for way in everybody)
    locks = verdict(0.2, locked=tuple("abcdef")).help
    assert "Fewer locks, if any of these could change after all: a, b, c, d and others." in locks
    assert any(way.startswith("Another model") for way in verdict(0.02).help)  # the typical gap is nearly what it was
    assert not any(way.startswith("Another model") for way in verdict(0.45).help)
    assert "A smaller wish: 20% at or below 0.5 is what was found within these rules." in verdict(0.2).help
    assert "A smaller wish: no score nearer to 0.5 than 0.6 is what was found within these rules." in verdict(0.0).help
    assert not any(way.startswith("Another try") for way in verdict(0.4).help)
    assert any(way.startswith("Another try: little is missing") for way in verdict(0.49).help)
    close = judge(HALF, after(0.49), Spending(49), certificate(), course())
    assert "A smaller wish: 49% at or below 0.5 is what was found within these rules." in close.help


@pytest.mark.parametrize(
    "make",
    [
        lambda y: Target.beta(0.5, 0.5, len(y)),
        lambda y: Target.quantiles([0, 1], [0.2, 0.6]),
        lambda y: Target.values([0.1, 0.5]),
        lambda y: Target.reference_group(y[:9]),
        lambda y: Target.shift(y, -0.1, clip=(0, 1)),
        lambda y: Target.threshold(y, 0.4, 0.7, "below"),
        lambda y: Target.decision(y, 0.5, "below"),
    ],
)
def test_a_result_of_every_kind_of_target_has_its_verdict(make):
    target = make(mixed(30).outputs)
    problem = mixed(30, target=target, bounds=Bounds(5, 5, delta=0.1, slices=5, band="bootstrap"))
    result = dc.run(problem, Settings(selection="rowwise", k=10, iterations=12))
    found, wish = result.verdict, problem.wish
    assert found.before == wish.reached(problem.outputs)
    assert found.reached == wish.reached(result.best_step.outputs)
    better = found.reached - found.before if found.unit == "share" else found.before - found.reached
    assert better >= 0
    assert found.met == (found.reached >= found.asked - 1e-9 if found.unit == "share" else found.reached <= found.asked + 1e-9)
    assert found.unit == ("gap" if target.past is None else "share")
    assert "asked" in found.sentence
    assert "before" in found.sentence


@pytest.mark.parametrize("budget", [Budget(people=2), Budget(total_effort=0.5)])
def test_once_a_budget_is_used_up_nothing_is_said_against_model_locks_or_features(budget):
    said = dc.run(limited_problem(budget=budget), Settings(k=4, iterations=60)).verdict
    assert not said.met
    assert not any(way.startswith(("Another model", "Fewer locks", "More features")) for way in said.help)
    free = dc.run(limited_problem(budget=Budget(effort=0.05)), Settings(k=4, iterations=60)).verdict
    assert any(way.startswith("Another model") for way in free.help)
