// Back goes where one came from. Streamlit makes an entry in the browser's history for every change of the address, so that
// Back would have to be pressed several times per page. Here the same page keeps its entry, unless it shows another run now.

const SHOWS_A_RUN = /\/(solve|results)\/?$/;

export default function () {
  if (window.discoverHistory) return;
  window.discoverHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, address) => {
    const [here, there] = [new URL(location), new URL(address ?? "", location)];
    const [before, now] = [here, there].map((url) => url.searchParams.get("run"));
    const anotherRun = SHOWS_A_RUN.test(there.pathname) && before && now && before !== now;
    if (here.pathname === there.pathname && !anotherRun) history.replaceState(state, title, address);
    else push(state, title, address);
  };
}
