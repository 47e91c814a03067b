// The ids of the runs that this browser has started or opened, and a secret by which it knows its own saved scenarios: nothing
// else, in its own storage. Python gives { runs: those of this tab, gone: those that are no more, known: those it need not be told,
// listen: whether it wants to hear of the others, secret: that of this tab }; it is told once, and then knows them.

const KEY = "discover-runs";
const SECRET_KEY = "discover-maker";
const MOST = 200;
const ID = /^[A-Za-z0-9_-]{8,32}$/;
const SECRET = /^[0-9a-f]{32}$/;

export default function (component) {
  const { data, setTriggerValue } = component;
  const kept = read();
  const runs = [...new Set([...data.runs, ...kept])].filter((id) => !data.gone.includes(id)).slice(0, MOST);
  if (runs.join() !== kept.join()) write(KEY, JSON.stringify(runs));
  const secret = readText(SECRET_KEY);
  if (!SECRET.test(secret)) write(SECRET_KEY, data.secret);
  else if (secret !== data.secret) setTriggerValue("secret", secret);
  if (data.listen && runs.some((id) => !data.known.includes(id))) setTriggerValue("runs", runs);
}

function read() {
  try {
    const kept = JSON.parse(readText(KEY) || "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string" && ID.test(id)) : [];
  } catch {
    return []; // it may be something that is not ours
  }
}

function readText(key) {
  try {
    return window.localStorage.getItem(key) ?? "";
  } catch {
    return ""; // a browser may keep nothing
  }
}

function write(key, text) {
  try {
    window.localStorage.setItem(key, text);
  } catch {
    // then a new tab starts without it
  }
}
