// A Plotly figure that is redrawn in place, so that a live run neither flickers nor loses a zoom.
// Python gives { figure: JSON text, config: what the toolbar offers, source: address of Plotly, fit: whether the height
// follows the window, frames: what a replay shows }; without a figure Plotly is only fetched, for later, and read if `soon`.
// A figure may say in `layout.meta` which of its traces is a staircase that glides to its new shape (`moving`), and how a
// picture of it is called (`title`).

const NEAR = "200px"; // a chart this close to the window is drawn; the others wait until one scrolls to them
const LEAST = 220; // pixels of height that a chart keeps in the smallest window
const BELOW = 24; // pixels left free below a chart that fits the window
const GLIDE = 350; // milliseconds from one shape to the next: less than there is between two updates
const REPLAY = 4000; // milliseconds of a replay
const EVEN = 200; // levels at which two staircases are compared, besides the steps of the newer one
const ROUNDING = 1e-9; // shares that differ by less are the same
const charts = new WeakMap();
const owners = new WeakMap(); // which chart draws in a place: the newest

export default function (component) {
  const { parentElement, data } = component;
  if (!data.figure) {
    (window.requestIdleCallback ?? setTimeout)(() => (data.soon ? library : fetched)(data.source));
    return;
  }
  const root = parentElement.querySelector(".live-chart");
  let chart = charts.get(parentElement);
  if (!chart || chart.root !== root) {
    chart?.stop();
    chart = new Chart(root, parentElement.querySelector(".live-replay"));
    charts.set(parentElement, chart);
  }
  chart.take(data);
  return () => {
    chart.stop();
    charts.delete(parentElement);
  };
}

/** Plotly among what the browser keeps, but not read: that takes a second of a slow machine. */
function fetched(source) {
  if (window.discoverPlotly || document.querySelector('link[rel="prefetch"][href*="plotly"]')) return;
  const link = document.createElement("link");
  link.rel = "prefetch";
  link.href = new URL(source, document.baseURI);
  document.head.append(link);
}

/** Plotly itself, loaded once for all charts. */
function library(source) {
  window.discoverPlotly ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(source, document.baseURI);
    script.onload = () => done(window.Plotly);
    script.onerror = () => failed(new Error("The chart library could not be loaded: reload the page."));
    document.head.append(script);
  });
  return window.discoverPlotly;
}

class Chart {
  constructor(root, replay) {
    this.root = root;
    this.replay = replay;
    this.motion = new Motion(root, replay.querySelector("span"));
    owners.set(root, this);
    this.near = false;
    this.drawn = "";
    this.redraw = () => this.draw();
    this.sizes = new ResizeObserver(this.redraw);
    this.sizes.observe(root);
    // What stands above the chart may grow or go, which moves the chart and with it the height that is left for it.
    const page = root.closest('[data-testid="stMainBlockContainer"]');
    if (page) this.sizes.observe(page);
    window.addEventListener("resize", this.redraw);
    this.sight = new IntersectionObserver(([entry]) => this.see(entry.isIntersecting), { rootMargin: NEAR });
    this.sight.observe(root);
    replay.querySelector("button").onclick = () => this.motion.play(this.frames);
  }

  stop() {
    this.sizes.disconnect();
    this.sight.disconnect();
    window.removeEventListener("resize", this.redraw);
    this.motion.rest();
    this.over = true;
    // Plotly draws in several steps and fails if the plot is taken away between two of them: first let it finish.
    const clear = () => owners.get(this.root) === this && this.plotly?.purge(this.root);
    Promise.resolve(this.work).then(clear, clear);
  }

  see(near) {
    this.near = near;
    this.draw();
  }

  take(data) {
    this.fit = data.fit;
    this.frames = data.frames ?? [];
    this.replay.hidden = this.frames.length < 2 && !data.fit; // where a film will come, its place is kept
    this.replay.querySelector("button").hidden = this.frames.length < 2;
    if (data.figure === this.text) return this.draw();
    this.text = data.figure;
    this.figure = JSON.parse(data.figure);
    this.config = data.config;
    this.root.style.height = `${this.height()}px`; // before the library is there, so that nothing jumps
    library(data.source).then(
      (plotly) => {
        this.plotly = plotly;
        this.draw();
      },
      (error) => (this.root.textContent = error.message),
    );
  }

  /** The figure's own height, or less where the window, not scrolled, has less left below the chart's top. */
  height() {
    const most = this.figure.layout.height;
    if (!this.fit) return most;
    let top = this.root.getBoundingClientRect().top;
    for (let around = this.root.parentElement; around; around = around.parentElement) top += around.scrollTop;
    return Math.round(Math.max(Math.min(LEAST, most), Math.min(most, window.innerHeight - top - BELOW)));
  }

  draw() {
    const width = this.root.clientWidth;
    if (this.over || !this.plotly || !this.near || !width || !this.root.isConnected) return;
    const style = getComputedStyle(this.root);
    const height = this.height();
    const state = `${width} ${height} ${style.color} ${this.text}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.root.style.height = `${height}px`;
    const font = { family: style.fontFamily, size: 12, color: style.color, ...this.figure.layout.font };
    const layout = { ...this.figure.layout, font, width, height, autosize: false };
    // The one label of all lines has no line's colour, so it takes the page's: Plotly's own is white on a dark page, too.
    if (layout.hovermode?.endsWith("unified")) layout.hoverlabel = { bgcolor: ground(this.root), font: { color: style.color } };
    const before = this.motion.rest();
    // The same object each time: for a configuration that differs Plotly makes the whole plot anew.
    this.camera ??= this.picture();
    const config = { ...this.config, modeBarButtonsToRemove: ["toImage"], modeBarButtonsToAdd: [this.camera] };
    const drawing = this.plotly.react(this.root, this.figure.data, layout, config);
    this.work = Promise.all([this.work, drawing]);
    drawing.then(() => this.over || this.motion.follow(this.figure.layout.meta?.moving, before));
  }

  /** The toolbar's camera. A picture has a title and an opaque ground, and is measured with the font that it is drawn with. */
  picture() {
    const take = (plot) => {
      const { layout } = plot;
      const title = { text: layout.meta?.title, x: 0, xref: "paper", y: 1, yref: "container", yanchor: "top", pad: { t: 10 } };
      const margin = { ...layout.margin, t: layout.margin.t + 30 };
      const height = layout.height + 30;
      const legend = { ...layout.legend, yref: "container", y: 1 - 30 / height, yanchor: "top" }; // below the title
      const font = { ...layout.font, family: "Arial, Helvetica, sans-serif" };
      const more = { title, margin, font, height, legend, paper_bgcolor: ground(plot) };
      const named = { format: "png", scale: 2, filename: `discover-${layout.uirevision}`, width: layout.width, height };
      this.plotly.downloadImage({ data: plot.data, layout: { ...layout, ...more } }, named);
    };
    return { name: "picture", title: "Download plot as a PNG", icon: this.plotly.Icons.camera, click: take };
  }
}

/** The colour that the page has behind an element. */
function ground(element) {
  for (let around = element; around; around = around.parentElement) {
    const colour = getComputedStyle(around).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)" && colour !== "transparent") return colour;
  }
  return "white";
}

/**
 * One staircase of a plot in motion. Only the line on the screen moves: the plot itself has its new data from the start, so
 * that hovering tells the truth, and the last of it is the line exactly as Plotly drew it. A curve is { x, y }, as drawn.
 */
class Motion {
  constructor(root, label) {
    this.root = root;
    this.label = label;
  }

  /** Stop where it is, and put Plotly's own line back. The curve that was on the screen. */
  rest() {
    cancelAnimationFrame(this.request);
    this.label.textContent = "";
    const seen = this.seen;
    if (this.own()) this.path.setAttribute("d", this.last);
    this.set = undefined;
    this.seen = this.end;
    return seen;
  }

  /** A new figure is drawn: glide to it from the curve that was on the screen before. */
  follow(place, before) {
    const trace = place === undefined ? undefined : this.root._fullData?.[place];
    this.path = trace && this.root.querySelector(`.scatterlayer .trace${trace.uid} path.js-line`);
    this.end = this.path ? { x: Array.from(trace.x), y: Array.from(trace.y) } : undefined;
    this.seen = this.end;
    const same = (one, other) => one.length === other.length && one.every((value, at) => value === other[at]);
    if (!this.end || !before || still() || (same(before.x, this.end.x) && same(before.y, this.end.y))) return;
    this.run([before, this.end], GLIDE, (share) => share * share * (3 - 2 * share));
  }

  /** All frames once, and then the plot as it is. */
  play(frames) {
    this.rest();
    if (!this.end) return;
    const names = [...frames.map((frame) => frame.label), ""];
    this.run([...frames, this.end], REPLAY, (share) => share, names);
  }

  /** Through these curves in so many milliseconds, at equal shares of the people from one to the next. */
  run(curves, duration, pace, names) {
    const levels = levelsOf(this.end);
    const places = curves.map((curve) => quantiles(curve, levels));
    const ends = [this.end.x[0], this.end.x.at(-1)];
    this.last = this.path.getAttribute("d");
    this.set = this.last;
    const show = (share) => {
      let at = pace(share) * (curves.length - 1);
      if (still()) at = Math.floor(at); // from frame to frame, without motion
      const from = Math.min(Math.floor(at), curves.length - 2);
      const x = places[from].map((place, level) => place + (at - from) * (places[from + 1][level] - place));
      this.seen = { x: [ends[0], ...x, ends[1]], y: [0, ...levels, 1] };
      this.label.textContent = names?.[from] ?? "";
      this.set = this.drawn(x, levels, ends);
      this.path.setAttribute("d", this.set);
    };
    let start;
    const step = (time) => {
      if (!this.own()) return this.rest(); // Plotly drew the line anew, for a zoom: its line is the right one
      start ??= time;
      if (time - start >= duration) return this.rest();
      show((time - start) / duration);
      this.request = requestAnimationFrame(step);
    };
    show(0); // at once: the new shape must not flash up before the line glides to it
    this.request = requestAnimationFrame(step);
  }

  /** Whether the line on the screen is still the one that was put there. */
  own() {
    return this.set !== undefined && this.path?.isConnected && this.path.getAttribute("d") === this.set;
  }

  /** The staircase as a path: across to each value, up to its share. */
  drawn(x, levels, [low, high]) {
    const { xaxis, yaxis } = this.root._fullLayout;
    const across = (value) => xaxis.c2p(value).toFixed(2);
    const steps = x.map((value, at) => `H${across(value)}V${yaxis.c2p(levels[at]).toFixed(2)}`);
    return `M${across(low)},${yaxis.c2p(0).toFixed(2)}${steps.join("")}H${across(high)}`;
  }
}

/** Whether this person asked for no motion. */
function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The shares at which curves are compared: the steps of this one, so that it is met exactly, and an even grid. */
function levelsOf({ y }) {
  const even = Array.from({ length: EVEN }, (_, at) => (at + 1) / EVEN);
  const all = [...y.filter((share) => share > ROUNDING), ...even].sort((a, b) => a - b);
  return all.filter((share, at) => !at || share - all[at - 1] > ROUNDING);
}

/** The least value that each share of the people has at most. */
function quantiles({ x, y }, levels) {
  let at = 0;
  return levels.map((level) => {
    while (at < y.length - 1 && y[at] < level - ROUNDING) at += 1;
    return x[at];
  });
}
