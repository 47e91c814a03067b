// The ids of the runs that this browser has started or opened, and nothing else, in its own storage.
// Python gives { runs: those of this tab, gone: those that are no more, known: those it need not be told, listen: whether it
// wants to hear of the others }; it is told once, and then knows them.

const KEY = "discover-runs";
const MOST = 200;
const ID = /^[A-Za-z0-9_-]{8,32}$/;

export default function (component) {
  const { data, setTriggerValue } = component;
  const kept = read();
  const runs = [...new Set([...data.runs, ...kept])].filter((id) => !data.gone.includes(id)).slice(0, MOST);
  if (runs.join() !== kept.join()) write(runs);
  if (data.listen && runs.some((id) => !data.known.includes(id))) setTriggerValue("runs", runs);
}

function read() {
  try {
    const kept = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string" && ID.test(id)) : [];
  } catch {
    return []; // a browser may keep nothing, or something that is not ours
  }
}

function write(runs) {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(runs));
  } catch {
    // then a new tab starts without them
  }
}
