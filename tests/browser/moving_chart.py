"""A page with one live chart: each press of a button brings new scores, and there is a film of all of them."""

import numpy as np
import streamlit as st

from discover_core.figures.outputs import outputs_figure
from discover_core.figures.replay import frames
from discover_core.problem.target import Target
from discover_core.solver.place import Edit
from ui.app.chart import live_chart

BEFORE = np.linspace(0.5, 1, 40)
WANTED = Target.values(BEFORE - 0.4)
STEPS = [BEFORE * (1 - share) + (BEFORE - 0.4) * share for share in (0, 0.2, 0.5, 0.7, 1)]

if __name__ == "__main__":
    step = st.session_state.get("step", 0)
    if st.button("Next"):
        step = st.session_state["step"] = min(step + 1, len(STEPS) - 1)
    tall = st.checkbox("A long text above the chart")
    with st.container():
        if tall:
            st.markdown("A line of text  \n" * 6)
    edits = [None, *(Edit(np.arange(40), np.empty(0), np.empty((0, 0)), scores) for scores in STEPS[1:])]
    film = frames(BEFORE, edits) if step == len(STEPS) - 1 else None
    figure = outputs_figure(BEFORE, WANTED, STEPS[step], threshold=0.5, height=560)
    live_chart(figure, "moving", film, fit=True)
    st.text(f"Step {step}")
    st.markdown("Something below  \n" * 40)
