"""A strategy is one file and one line of the registry: it says itself what it is called, what it does and what it uses."""

from dataclasses import fields, replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.problem.presets import PRESETS, preset_of
from discover_core.problem.settings import LARGEST, STEEPEST
from discover_core.solver.settings_words import WORDS, idle_settings, own_settings, setting_words
from discover_core.solver.strategies import DRAWING, STRATEGIES

from .cases import mixed

OTHER = {
    "origin": "current",
    "guidance": "none",
    "angle": 10.0,
    "numeric_step": 0.4,
    "categorical_step": 4.0,
    "temperature": 9.0,
    "crossover": 0.1,
    "swap": 0.9,
    "mutate_categorical": 0.9,
    "mutate_numeric": 0.1,
}


class Copies:
    """Everything from one other person."""

    title = "Copies (toy)"
    sentence = "Copies: a person becomes another one."
    uses = frozenset({"swap"})

    def propose(self, view, rng):
        other = view.factual[rng.integers(0, len(view.factual), view.block.shape[:2])]
        taken = rng.random(view.block.shape) < view.settings.swap
        return view.cone.fence.inside(view.rows, np.where(taken, other, view.block), view.block)


@pytest.fixture
def copies(monkeypatch):
    """The one line of the registry."""
    monkeypatch.setitem(STRATEGIES, "copies", Copies)
    return dc.Settings("copies", "rowwise", k=8, candidates=6, iterations=5)


def test_a_new_strategy_solves(copies):
    problem = mixed(40)
    steps = list(dc.solve(problem, copies))
    assert steps[-1].q_y < steps[0].q_y
    assert all(step.q <= step.q_before for step in steps)
    assert problem.walls.violations(dc.run(problem, copies).best) == []
    assert dc.Settings.from_dict(copies.to_dict()) == copies


def test_a_new_strategy_is_spoken_of(copies):
    words = setting_words("strategy")
    assert words.options["copies"] == "Copies (toy)"
    assert words.help.endswith(Copies.sentence)
    assert idle_settings(copies) == DRAWING
    assert own_settings("copies") == ["swap"]
    assert preset_of(replace(PRESETS["Paper"].settings(50, 10), strategy="copies"), 50, 10) is None


def test_an_unknown_strategy_is_refused_before_anything_is_asked():
    problem = mixed()
    asked = problem.model.rows
    with pytest.raises(InputError, match="“strategy” cannot be 'copies': use one of monte_carlo, genetic"):
        next(dc.solve(problem, dc.Settings("copies")))
    assert problem.model.rows == asked


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_uses_what_it_says_and_nothing_else(name):
    assert set(OTHER) == DRAWING.union(*(strategy.uses for strategy in STRATEGIES.values()))
    settings = dc.Settings(name, "rowwise", k=8, candidates=6, iterations=4)
    before = [step.cells.tobytes() for step in dc.solve(mixed(40), settings)]
    for setting, value in OTHER.items():
        after = [step.cells.tobytes() for step in dc.solve(mixed(40), replace(settings, **{setting: value}))]
        assert (before != after) == (setting in STRATEGIES[name].uses), setting
        assert (setting in idle_settings(settings)) == (setting in DRAWING and before == after), setting


@pytest.mark.parametrize("name", STRATEGIES)
def test_without_guidance_no_angle_matters(name):
    settings = dc.Settings(name, "rowwise", k=8, candidates=6, iterations=4, guidance="none")
    wide, narrow = (list(dc.solve(mixed(40), replace(settings, angle=angle)))[-1] for angle in (180.0, 1.0))
    assert wide.cells.tobytes() == narrow.cells.tobytes()
    assert "angle" in idle_settings(settings)


def test_every_setting_has_words_and_every_word_a_setting():
    """`balance` is l and r on one slider, `patient` whether there is a patience at all, `walled` whether `usual` is a wall."""
    named = {setting.name for setting in fields(dc.Settings)}
    assert {*WORDS, "strategy"} == (named - {"l", "r"}) | {"balance", "patient", "walled"}
    for name in sorted({*WORDS, "strategy"}):
        words = setting_words(name)
        assert words.label
        assert words.help.endswith(".")


@pytest.mark.parametrize("name", ["strategy", *(name for name, words in WORDS.items() if words.options)])
def test_the_options_are_those_that_settings_take(name):
    options = list(setting_words(name).options)
    assert all(getattr(dc.Settings(**{name: option}), name) == option for option in options)
    with pytest.raises(InputError) as refusal:
        next(dc.solve(mixed(), dc.Settings(**{name: "magic"})))
    assert set(str(refusal.value).rstrip(".").split(": use one of ")[1].split(", ")) == set(options)


@pytest.mark.parametrize("name", [name for name, words in WORDS.items() if name in dc.Settings().to_dict() and not words.options])
def test_the_ends_of_a_range_are_settings(name):
    words = setting_words(name)
    if not isinstance(getattr(dc.Settings(), name), bool):
        for end in (words.low, min(words.high, LARGEST.get(name, STEEPEST))):
            assert getattr(dc.Settings(**{name: type(words.step)(end)}), name) == end
