"""Apply: a policy that was kept, for people whom it has never seen."""

import streamlit as st

from ui.app import page_registry
from ui.apply.plan import plan
from ui.apply.policy_form import policy_form


def page() -> None:
    st.title("Apply", help="A policy tells each person what to change. It was learnt from some people and audited on others.")
    st.markdown(
        "A policy from an audited answer, for people it has never seen: each of them gets a line that says what to change."
    )
    policy_form()
    plan()


page_registry.show(page)
