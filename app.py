"""The front door: which pages there are, and what they share."""


def main() -> None:
    import streamlit as st

    from discover_core.errors import InputError
    from ui import address, columns, door, opening, remembered, running, session, work
    from ui.chart import fetch_ahead
    from ui.header import done, header
    from ui.preload import preload

    door.enter()
    door.dress()
    st.logo("assets/logo.svg", size="large")
    work.collect()
    try:
        running.asked_for()
    except InputError as error:  # without its data folder there is nothing the app could do
        st.navigation(list(door.pages().values()), position="top")
        st.error(str(error))
        return
    demo = st.query_params.get("demo")
    if demo and address.came_back():
        session.go_back_to(demo)
    pages = door.pages(done())
    page = st.navigation(list(pages.values()), position="top")

    current, run = session.current(), running.current()
    if current is None and not work.busy() and not st.session_state.get("asked"):
        if run is not None and page not in (pages["solve"], pages["results"]):
            st.session_state["asked"] = True
            running.reopen(run)
        elif run is None and demo:
            st.session_state["asked"] = True
            opening.start_sample(demo, stay=page is not pages["overview"])
    address.keep(demo if current is None else current.sample, run)
    wanted = st.session_state.pop("go_to", None)
    if wanted is not None and pages[wanted] is not page:
        door.go(wanted)

    if page is not pages["data"]:
        columns.refresh()

    header(page.title)
    with st.container():
        place = work.panel()
    with st.container():
        page.run()
    remembered.remember(listen=page is pages["overview"])
    address.one_step_back()
    fetch_ahead()
    preload()
    work.follow(place)


if __name__ == "__main__":  # worker processes import this file under another name: keep it free of other work
    main()
