"""Scenario: who may change what, which outcome is asked for, the limits of the plan, how close, how sure, the search budget."""

import streamlit as st

from ui.app import page_jobs, page_registry, session
from ui.app.group_rules import everybody_button
from ui.app.text import count, plain
from ui.scenario.actions import actions_editor
from ui.scenario.bounds_form import bounds_form
from ui.scenario.budget_form import budget_form
from ui.scenario.column_rules import column_rules
from ui.scenario.plan_limits import plan_limits
from ui.scenario.target import target_builder
from ui.scenario.toolbar import toolbar


def page() -> None:
    current = session.current()
    if current is None or current.scored is None:
        st.title("Scenario")
        if not page_jobs.busy():
            st.markdown("A scenario needs data and a model. Open a demo, or bring your own.")
        st.page_link("pages/overview.py", label="Open a demo", icon=":material/home:")
        if current is not None:
            st.page_link("pages/model.py", label="Train or bring a model", icon=":material/insights:")
        return
    if not current.decided:
        st.title("Scenario")
        st.markdown(session.UNDECIDED)
        with st.container(horizontal=True, vertical_alignment="center", key="undecided"):
            everybody_button("scenario")
            st.page_link("pages/data.py", label="Choose some of them", icon=":material/table_chart:", width="content")
        return
    sentence = session.problem_of(lambda: current.group)
    if sentence or not len(current.group):
        st.title("Scenario")
        st.warning(plain(sentence) if sentence else "The group is empty, so there is nobody to ask about.")
        st.page_link("pages/data.py", label="Choose the group", icon=":material/table_chart:")
        return
    st.title("Scenario")
    tools = st.container()
    st.markdown(f"What should happen to the **{count(len(current.group), 'person', 'people')}** of the group?")

    st.header("Who may change what")
    actions_editor()
    st.header("What outcome")
    target_builder()
    st.header("Limits of the plan")
    plan_limits()
    column_rules()
    st.header("How close, how sure")
    bounds_form()
    st.header("Search budget")
    budget_form()
    with tools:  # drawn last: they speak of what the sections say now
        toolbar(session.current() or current)

    st.space("small")
    st.page_link("pages/solve.py", label="Go on to solve", icon=":material/arrow_forward:")


page_registry.show(page)
