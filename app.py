"""The front door: which pages there are, and what they share."""


def main() -> None:
    import streamlit as st

    from discover_core.errors import InputError
    from ui import columns, door, opening, remembered, running, session, work
    from ui.chart import fetch_ahead
    from ui.header import header

    door.enter()
    work.warm_up()
    door.dress()
    st.logo("assets/logo.svg", size="large")
    pages = door.pages()
    page = st.navigation(list(pages.values()), position="top")

    work.collect()
    try:
        running.asked_for()
    except InputError as error:  # without its data folder there is nothing the app could do
        st.error(str(error))
        return
    asked = st.query_params.get("demo")
    current = session.current()
    if current is None and not work.busy() and not st.session_state.get("asked"):
        run = running.current()
        if run is not None and page not in (pages["solve"], pages["results"]):
            st.session_state["asked"] = True
            running.reopen(run)
        elif run is None and asked:
            st.session_state["asked"] = True
            opening.start_sample(asked, stay=page is not pages["overview"])
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
    remembered.remember(listen=page is pages["overview"])
    fetch_ahead()
    work.settle_in()
    work.follow(place)


if __name__ == "__main__":  # worker processes import this file under another name: keep it free of other work
    main()
