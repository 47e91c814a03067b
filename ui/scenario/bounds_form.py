"""How close, how sure: both bounds on their scales, the confidence, and whether a certificate can be had."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import streamlit as st

from discover_core.errors import InputError
from discover_core.figures.config import chart_config
from discover_core.figures.scale import Mark, drawable, scale_figure
from discover_core.figures.text import amount, percent
from discover_core.problem.bounds import Band, Bounds
from discover_core.problem.wish import WAY
from discover_core.solver.advice import Advice

from ..app import session
from ..app.bounds_advice import Advised, advised
from ..app.choice import choose_one
from ..app.text import count, plain
from .audit_form import audit_form

ABOUT_BANDS = (
    "At every size: a band (DKW) that is valid however small the group. Approximate: resampling (bootstrap), for small "
    "groups. Both treat the changed people as if they were drawn anew, as the paper does."
)
BANDS: dict[Band, str] = {"dkw": "At every size", "bootstrap": "Approximate"}
NEAR = 1.1  # today this close to a perfect match is as good as one


@st.fragment
def bounds_form() -> None:
    work = session.current()
    if work is None or work.scored is None:
        return
    try:
        found = advised(work)
    except InputError as error:
        st.warning(plain(error))
        return
    st.markdown(
        "A certificate says that two distances stay within bounds: the people should still look like the group they are, "
        "and their scores should look like the target."
    )
    key = f"{work.id}-{session.version()}"
    suggested = st.toggle(
        "Use the suggested bounds",
        value=work.draft.suggested,
        key=f"suggested-{key}-{work.draft.suggested}",
        help="They follow the group and the target. Switch this off, or change a number, to set your own.",
    )
    if suggested != work.draft.suggested:
        session.ask(suggested=suggested, bounds=found.bounds)  # one's own begin where the suggested ones were
        st.rerun()
    left, right = st.columns(2, gap="large")
    with left:
        u_x = _inputs(found, key, work.draft.suggested)
    with right:
        u_y = _outputs(found, key, work.draft.suggested)
    with st.container():
        _status(found)
    with st.expander("How sure"):
        bounds = _sure(found.bounds, key)
    with st.container(key="audit-plan"):
        audit_form(work, key)
    if (u_x, u_y) != (found.bounds.u_x, found.bounds.u_y):
        session.ask(suggested=False, bounds=replace(bounds, u_x=u_x, u_y=u_y))
        st.rerun()
    if bounds != found.bounds:
        session.ask(bounds=bounds)
        st.rerun()


def _inputs(found: Advised, key: str, suggested: bool) -> float:
    advice, u_x = found.advice, found.bounds.u_x
    value = _bound(
        "Inputs may differ by (U_x)",
        u_x,
        f"u_x-{key}-{u_x if suggested else 'own'}",
        "How far the changed group may be from the group as it is, over all features at once: a squared distance in units of "
        "each feature’s own spread. The confidence limit, not the distance itself, has to stay below it.",
    )
    _scale(u_x, Mark("no change", advice.floor_x), Mark("anything goes", advice.anything_x), advice.suggested_x, "scale-x")
    if u_x < advice.floor_x < math.inf:
        st.caption("Less than even an unchanged group shows: a limit is never zero, as a sample never tells all.")
        return value
    if u_x >= advice.anything_x:
        st.caption("Loose: a group in which everybody became one and the same person, in all that may change, would pass.")
        return value
    times = advice.times_chance(u_x)
    st.caption(
        f"The group may move about **{_times(times)}** as far as chance alone would set apart two groups of "
        f"{count(advice.n, 'person', 'people')} drawn from the same people.",
        help="Chance alone: the distance between random halves of all who match the group’s rules, brought to the size of the "
        "group. “Anything goes”: everybody became one and the same typical person, in all that may change.",
    )
    return value


def _outputs(found: Advised, key: str, suggested: bool) -> float:
    advice, u_y = found.advice, found.bounds.u_y
    value = _bound(
        "Scores may miss the target by (U_y)",
        u_y,
        f"u_y-{key}-{u_y if suggested else 'own'}",
        "How far the scores may be from the target, as a squared distance: 0.01 is what every score being off by 0.1 comes to. "
        "The confidence limit, not the distance itself, has to stay below it.",
    )
    _scale(u_y, Mark("perfect match", advice.floor_y), Mark("no change", advice.today_y), advice.suggested_y, "scale-y")
    st.caption(_way(advice, u_y, suggested))
    return value


def _way(advice: Advice, u_y: float, suggested: bool) -> str:
    low, high = advice.span_y
    if high <= NEAR * low:
        return f"Today’s scores are already about as close to the target as {count(advice.n, 'person', 'people')} can show."
    way = advice.way(u_y)
    if way <= 0:
        return "Loose: today’s scores pass as they are, so nothing has to change."
    if way > 1:
        return "Less than even a perfect match shows: a limit is never zero, as a sample never tells all."
    if suggested:
        return f"Set so that scores that went **{percent(WAY)}** of the way to your wish just pass."
    return f"The scores have to go at least **{percent(way)}** of the way from where they are to a perfect match."


def _bound(label: str, value: float, key: str, words: str) -> float:
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    least = min(value, 1e-6)
    shape = "%.6g" if value < 1e5 else "%.0f"  # never an exponent
    entered = st.number_input(label, value=value, min_value=least, step=step, format=shape, key=key, help=words)
    return value if entered is None else float(entered)


def _scale(yours: float, low: Mark, high: Mark, suggested: float, key: str) -> None:
    if drawable(yours, low.value, high.value, suggested):
        dark = st.context.theme.type == "dark"
        figure = scale_figure(yours, low, high, suggested, key, dark)
        st.plotly_chart(figure, key=key, width="stretch", config=chart_config(displayModeBar=False, staticPlot=True))
    else:
        st.caption(f"At this size there is no scale: even for “{low.name}” the limit is infinite.")


def _times(times: float) -> str:
    return "any number of times" if times == math.inf else f"{amount(round(times, 1))} times"


def _status(found: Advised) -> None:
    advice, bounds = found.advice, found.bounds
    people = count(advice.n, "person", "people")
    work = session.current()
    if found.obstacles:
        st.warning("  \n".join(plain(sentence) for sentence in found.obstacles), icon=":material/warning:")
    elif advice.floor_x <= bounds.u_x and advice.today_y <= bounds.u_y:
        st.info("The group passes as it is. For something to change, lower U\\_y or ask for another outcome.")
    elif bounds.band == "bootstrap":
        st.info(f"Both bounds can hold with {people}, by an approximation that is no guarantee.", icon=":material/check_circle:")
    elif work is None or not work.beyond:
        st.success(
            f"A certificate can be had with {people}, as far as their number goes. "
            "Whether both bounds can be kept at once, the search will show.",
            icon=":material/verified:",
        )


def _sure(bounds: Bounds, key: str) -> Bounds:
    """Confidence, trimming, slices and band as people say them."""
    first, second, third, fourth = st.columns(4)
    given: dict[str, Any] = {}
    shown = round(100 * (1 - bounds.alpha), 6)
    confidence = first.number_input(
        "Confidence (%)",
        value=shown,
        min_value=min(1.0, shown),
        max_value=max(99.99, shown),
        step=1.0,
        format="%.6g",
        key=f"confidence-{key}",
        help="How surely both bounds hold together. Surer needs more people or looser bounds.",
    )
    if confidence is not None and confidence != shown:
        given["alpha"] = round(1 - confidence / 100, 9)
    trimmed = round(100 * bounds.delta, 6)
    delta = second.number_input(
        "Left out at each end (%)",
        value=trimmed,
        min_value=0.0,
        max_value=max(45.0, trimmed),
        step=1.0,
        format="%.6g",
        key=f"delta-{key}",
        help="The certificate speaks of the middle of the group: the most extreme share at either end is left out. "
        "Small groups need more left out.",
    )
    if delta is not None and delta != trimmed:
        given["delta"] = round(delta / 100, 9)
    slices = third.number_input(
        "Slices",
        value=bounds.slices,
        min_value=1,
        max_value=max(500, bounds.slices),
        step=5,
        key=f"slices-{key}",
        help="From how many random directions the features are looked at. More see more; each makes the certificate harder.",
    )
    with fourth:
        band = choose_one("Limits", BANDS, bounds.band, f"band-{key}", ABOUT_BANDS)
    beyond = st.toggle(
        "A score beyond the threshold is as good",
        bounds.beyond,
        f"beyond-{key}",
        "For an outcome with a threshold: only scores that fall short of it count. Without this, going further than asked counts "
        "as a distance, too, as in the paper. No effect on other outcomes.",
    )
    changed = replace(bounds, **given, slices=int(slices or bounds.slices), band=band, beyond=beyond)
    middle = f"the middle {100 - 2 * 100 * changed.delta:g}% of the group" if changed.delta else "the whole group"
    st.caption(
        f"Each bound holds with {100 * (1 - changed.alpha / 2):.6g}% confidence, both together with "
        f"{100 * (1 - changed.alpha):.6g}%, for {middle}."
    )
    if changed.band == "bootstrap":
        st.caption(":orange[:material/info:] The bootstrap is an approximation and no guarantee.")
    return changed
