"""A button that deletes only when it is pressed twice."""

from __future__ import annotations

import streamlit as st


def delete_button(key: str, what: str) -> bool:
    """Whether it was pressed for the second time; the first press only asks."""
    asked = f"really-{key}"
    if st.session_state.get(asked):
        if st.button("Really delete?", key=f"sure-{key}", type="primary", help=what):
            del st.session_state[asked]
            return True
    elif st.button("", icon=":material/delete:", key=f"delete-{key}", help=what, type="tertiary"):
        st.session_state[asked] = True
        st.rerun()
    return False
