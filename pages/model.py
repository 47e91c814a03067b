"""Model: train one or bring one, see how good it is, and how it sees the group."""

import streamlit as st

from ui.app import page_jobs, page_registry, session
from ui.app.leak_warning import belief_warning, leak_warning
from ui.app.text import plain
from ui.model.model_report import model_report
from ui.model.model_upload import model_upload
from ui.model.training_form import training_form


def page() -> None:
    current = session.current()
    st.title("Model")
    if current is None:
        if not page_jobs.busy():
            st.markdown("A model needs data. Open a demo or a table of your own first.")
        st.page_link("pages/overview.py", label="Open a demo", icon=":material/home:")
        st.page_link("pages/data.py", label="Bring your own table", icon=":material/table_chart:")
        return
    st.markdown(f"Any model that gives each row of **{plain(current.dataset.title)}** a number.")
    with st.container():
        leak_warning(current)
    train, bring = st.columns(2, gap="large")
    with train.container(border=True):
        st.subheader("Train one")
        training_form(current)
    with bring.container(border=True):
        st.subheader("Bring one")
        model_upload(current)
    if current.scored is None:
        st.info("No model yet. Train one, or bring one, and its quality shows here.")
        return
    if current.model_is_old:
        st.warning("The columns have been changed since this model was made. Train again to use them.")
    belief_warning(current)
    model_report(current)
    st.space("small")
    st.page_link("pages/scenario.py", label="Go on to the scenario", icon=":material/arrow_forward:")


page_registry.show(page)
