"""The front door: which pages there are, and what they share."""


def main() -> None:
    import streamlit as st

    from ui import columns, opening, session, work
    from ui.header import header

    work.warm_up()
    st.set_page_config(page_title="DISCOVER", page_icon="assets/icon.svg", layout="wide")
    st.logo("assets/logo.svg", size="large")
    pages = {
        "overview": st.Page("pages/overview.py", title="Overview", icon=":material/home:", default=True),
        "data": st.Page("pages/data.py", title="Data", icon=":material/table_chart:"),
        "model": st.Page("pages/model.py", title="Model", icon=":material/insights:"),
    }
    page = st.navigation(list(pages.values()), position="top")

    work.collect()
    asked = st.query_params.get("demo")
    current = session.current()
    if asked and current is None and not work.busy() and not st.session_state.get("asked"):
        st.session_state["asked"] = True
        opening.start_sample(asked)
    if current is not None and current.sample:
        st.query_params["demo"] = current.sample
    elif current is not None and asked:
        del st.query_params["demo"]
    wanted = pages.get(st.session_state.pop("go_to", ""), page)
    if wanted is not page:
        st.switch_page(wanted)

    if page is not pages["data"]:
        columns.refresh()

    header(page.title)
    with st.container():
        place = work.panel()
    with st.container():
        page.run()
    work.follow(place)


if __name__ == "__main__":  # worker processes import this file under another name: keep it free of other work
    main()
