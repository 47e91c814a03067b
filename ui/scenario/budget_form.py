"""Search budget: a preset, the few numbers behind it, and everything else folded away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from discover_core.problem.presets import FITTED, PRESETS, beyond, enough_for, in_words, preset_of
from discover_core.problem.settings import LARGEST, STEEPEST, Settings
from discover_core.solver.settings_words import Words, idle_settings, own_settings, setting_words
from discover_core.solver.strategies import DRAWING, STRATEGIES

from ..app import session
from ..app.text import count

PATIENCE, USUAL = 20, 0.95


@st.fragment
def budget_form() -> None:
    work = session.current()
    if work is None:
        return
    group, before = (len(work.group), len(work.actions.editable), work.to_help), work.settings
    shown = f"{work.draft.fitted}-{before.k}-{before.candidates}" if work.draft.fitted else st.session_state.get("presets", 0)
    top = st.container()
    with st.container():
        settings = settings_fields(before, f"budget-{work.id}-{session.version()}-{shown}")
    if settings != before:
        only_seed = replace(settings, seed=before.seed) == before
        session.ask(settings=settings, fitted=work.draft.fitted if only_seed else None)
        st.rerun()  # the advice on the bounds and the tools above depend on them
    with top:  # drawn last: it speaks of what the fields say now
        _presets(settings, group, f"preset-{work.id}-{session.version()}")


def _presets(settings: Settings, group: tuple[int, int, int], key: str) -> None:
    """The presets, with the one that the settings are, and what they mean for the group: its people, what may change of
    them, and how many are to be helped."""
    n, f, to_help = group
    name = preset_of(settings, *group)
    st.session_state[key] = name
    st.segmented_control(
        "Start from",
        list(PRESETS),
        key=key,
        required=True,
        on_change=_choose,
        args=(key, group),
        help="Sets everything below except the seed. In “Paper” a new value starts from a random value of the group: its "
        "authors’ code does so, and it explores further than the start that its text names, the person’s own value.",
    )
    about = f"**{name}**: {PRESETS[name].sentence}" if name else "**Your own** choice."
    st.markdown(f"{about} {in_words(settings, n, f)}")
    enough = enough_for(settings, n)
    said = f"Enough for about {count(enough, 'person', 'people')}; about {to_help:,} are to change for this outcome."
    if enough < to_help:
        st.warning(
            f"{said} Raise the people per iteration or the iterations, or start from “{FITTED}”.", icon=":material/warning:"
        )
    else:
        st.caption(said)
    for sentence in beyond(settings, n, f):
        st.caption(sentence)


def _choose(key: str, group: tuple[int, int, int]) -> None:
    name, work = st.session_state[key], session.current()
    if name in PRESETS and work is not None:
        before = work.settings
        made = replace(PRESETS[name].settings(*group), seed=before.seed, encoding=before.encoding)
        session.ask(settings=made, fitted=name)
        st.session_state["presets"] = st.session_state.get("presets", 0) + 1  # its fields start anew


def settings_fields(settings: Settings, key: str) -> Settings:
    """All fields, and what they say as settings."""
    fields = _Fields(settings, key)
    with _row():
        fields.show("k", "h", "candidates", "iterations", "seed")
    with _row():
        fields.show("strategy", "selection")
    with st.expander("Everything else"):
        with _row():
            fields.show("variant")
        _people(fields)
        _new_values(fields)
        _distances(fields)
        _stopping(fields)
        _own(fields)
    return fields.now


def _new_values(fields: _Fields) -> None:
    """Where they come from, in grey what has no effect; nothing for a strategy that uses none of it."""
    idle = idle_settings(fields.now) & DRAWING
    if idle == DRAWING:
        return
    st.markdown("**New values**")
    left, middle, right = st.columns(3)
    with left:
        fields.show("origin", "numeric_step")
    with middle:
        fields.show("guidance", "categorical_step")
    with right:
        fields.show("angle", "temperature")
    strategy = STRATEGIES[fields.now.strategy]
    if DRAWING - strategy.uses:
        st.caption(f"The fields in grey have no effect. {strategy.sentence}")


def _people(fields: _Fields) -> None:
    st.markdown("**People who look like somebody**")
    with _row():
        fields.optional("walled", "usual", USUAL)


def _distances(fields: _Fields) -> None:
    st.markdown("**Distances**")
    left, middle, right = st.columns(3)
    with left:
        fields.span("balance", "l", "r")
    with middle:
        fields.show("kappa")
    with right:
        fields.show("encoding")


def _stopping(fields: _Fields) -> None:
    st.markdown("**Stopping early**")
    with _row():
        fields.show("stop_when_certified")
        if fields.now.selection != "personal":  # which ends by itself
            fields.optional("patient", "patience", PATIENCE)


def _own(fields: _Fields) -> None:
    """What only the strategy uses."""
    names = own_settings(fields.now.strategy)
    if not names:
        return
    st.markdown(f"**{STRATEGIES[fields.now.strategy].title}**")
    for column, name in zip(st.columns(len(names), vertical_alignment="bottom"), names, strict=True):
        with column:
            fields.show(name)


class _Fields:
    """Widgets that show settings, and `now` what they say. An untouched one says exactly what it was given."""

    def __init__(self, settings: Settings, key: str) -> None:
        self.settings, self.key, self.now = settings, key, settings

    def show(self, *names: str) -> None:
        """Each as what it is: options to choose from, a switch, or a number."""
        for name in names:
            words, given = setting_words(name), getattr(self.settings, name)
            idle = name in idle_settings(self.now)
            if words.options:
                self._choice(name, words, idle)
            elif isinstance(given, bool):
                self._say(name, st.toggle(words.label, given, self._key(name), words.help))
            else:
                self._number(name, given, disabled=idle)

    def span(self, name: str, low: str, high: str) -> None:
        """Two settings on one slider, so that they cannot change places."""
        words, given = setting_words(name), (float(getattr(self.settings, low)), float(getattr(self.settings, high)))
        said = st.slider(words.label, 0.0, 1.0, given, 0.001, "%g", self._key(name), words.help)
        both: Any = {low: said[0], high: said[1]}
        self.now = replace(self.now, **both)

    def optional(self, switch: str, name: str, first: float) -> None:
        """A number that there may be or not, behind a switch."""
        given, words = getattr(self.settings, name), setting_words(switch)
        if st.toggle(words.label, given is not None, self._key(switch), words.help):
            self._number(name, given or first, width=300)
            self._say(name, getattr(self.now, name) or first)
        else:
            self._say(name, None)

    def _choice(self, name: str, words: Words, idle: bool) -> None:
        options = list(words.options)
        at = options.index(getattr(self.settings, name))
        shown = words.options.__getitem__
        self._say(name, st.selectbox(words.label, options, at, shown, self._key(name), words.help, disabled=idle))

    def _number(self, name: str, given: float, **more: Any) -> None:
        words = setting_words(name)
        kind = type(words.step)
        low, high = kind(words.low), kind(min(words.high, LARGEST.get(name, STEEPEST)))
        shown = kind(min(max(given, low), high))
        shape = "%d" if kind is int else "%g"
        said = st.number_input(words.label, low, high, shown, words.step, shape, self._key(name), words.help, **more)
        self._say(name, given if said == shown else said)

    def _say(self, name: str, value: Any) -> None:
        self.now = replace(self.now, **{name: value})

    def _key(self, name: str) -> str:
        return f"{self.key}-{name}"


def _row() -> DeltaGenerator:
    """Fields side by side, as many as there is room for."""
    return st.container(horizontal=True, vertical_alignment="bottom")
