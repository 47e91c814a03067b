// A Plotly figure that is redrawn in place, so that a live run neither flickers nor loses a zoom.
// Python gives { figure: JSON text, config: what the toolbar offers, source: address of Plotly }; without a figure Plotly is only fetched, for later.

const NEAR = "200px"; // a chart this close to the window is drawn; the others wait until one scrolls to them
const charts = new WeakMap();
const owners = new WeakMap(); // which chart draws in a place: the newest

export default function (component) {
  const { parentElement, data } = component;
  if (!data.figure) {
    (window.requestIdleCallback ?? setTimeout)(() => library(data.source));
    return;
  }
  const root = parentElement.querySelector(".live-chart");
  let chart = charts.get(parentElement);
  if (!chart || chart.root !== root) {
    chart?.stop();
    chart = new Chart(root);
    charts.set(parentElement, chart);
  }
  chart.take(data);
  return () => {
    chart.stop();
    charts.delete(parentElement);
  };
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
  constructor(root) {
    this.root = root;
    owners.set(root, this);
    this.near = false;
    this.drawn = "";
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(root);
    this.sight = new IntersectionObserver(([entry]) => this.see(entry.isIntersecting), { rootMargin: NEAR });
    this.sight.observe(root);
  }

  stop() {
    this.sizes.disconnect();
    this.sight.disconnect();
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
    if (data.figure === this.text) return;
    this.text = data.figure;
    this.figure = JSON.parse(data.figure);
    this.config = data.config;
    this.root.style.height = `${this.figure.layout.height}px`; // before the library is there, so that nothing jumps
    library(data.source).then(
      (plotly) => {
        this.plotly = plotly;
        this.draw();
      },
      (error) => (this.root.textContent = error.message),
    );
  }

  draw() {
    const width = this.root.clientWidth;
    if (this.over || !this.plotly || !this.near || !width || !this.root.isConnected) return;
    const style = getComputedStyle(this.root);
    const state = `${width} ${style.color} ${this.text}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const font = { family: style.fontFamily, size: 12, color: style.color, ...this.figure.layout.font };
    const layout = { ...this.figure.layout, font, width, autosize: false };
    const drawing = this.plotly.react(this.root, this.figure.data, layout, this.config);
    this.work = Promise.all([this.work, drawing]);
  }
}
