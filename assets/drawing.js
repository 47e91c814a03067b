// A target drawn by hand: quantiles as points that are dragged left and right over the curve of today's scores.
// Python gives { probabilities, values, factual: [[score, share], ...], low, high }; a release gives the values back, once.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 340;
const ROOM = { left: 52, right: 18, top: 14, bottom: 44 };
const FINE = 200; // arrow keys move by this part of the axis
const PAUSE = 500; // milliseconds after the last key before the values are sent
const drawings = new WeakMap();

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const root = parentElement.querySelector(".drawing");
  let drawing = drawings.get(parentElement);
  if (!drawing || drawing.root !== root) {
    drawing?.stop();
    drawing = new Drawing(root);
    drawings.set(parentElement, drawing);
  }
  drawing.send = (values) => setTriggerValue("points", values);
  drawing.take(data);
  return () => {
    drawing.stop();
    drawings.delete(parentElement);
  };
}

class Drawing {
  constructor(root) {
    this.root = root;
    this.svg = root.querySelector("svg");
    this.moving = null; // the point under the pointer
    this.timer = null; // a key was pressed and is not sent yet
    this.points = [];
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  /** New data from Python. What the hand is doing at this moment stays. */
  take(data) {
    const busy = this.moving !== null || this.timer !== null;
    const values = busy && this.data.values.length === data.values.length ? this.data.values : data.values;
    this.data = { ...data, values: [...values] };
    this.draw();
  }

  x(value) {
    const { low, high } = this.data;
    return ROOM.left + ((value - low) / (high - low)) * (this.width - ROOM.left - ROOM.right);
  }

  y(share) {
    return ROOM.top + (1 - share) * (HEIGHT - ROOM.top - ROOM.bottom);
  }

  /** Move one point; neighbours in its way are pushed along, so the order is kept. */
  move(at, wanted) {
    const { low, high, values } = this.data;
    const fine = 10 ** (Math.floor(Math.log10(high - low)) - 3);
    const value = Math.min(Math.max(Number((Math.round(wanted / fine) * fine).toPrecision(12)), low), high);
    this.data.values = values.map((old, i) => (i < at ? Math.min(old, value) : i > at ? Math.max(old, value) : value));
    this.place();
  }

  release() {
    clearTimeout(this.timer);
    this.timer = null;
    this.send(this.data.values);
  }

  draw() {
    this.width = this.root.clientWidth;
    if (!this.data || this.width < 120) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", HEIGHT);
    if (!this.layers || this.points.length !== this.data.values.length) this.build();
    this.axes();
    const first = this.data.low;
    let path = `M${this.x(first)},${this.y(0)}`;
    for (const [value, share] of this.data.factual) path += `H${this.x(value)}V${this.y(share)}`;
    this.factual.setAttribute("d", `${path}H${this.x(this.data.high)}`);
    this.place();
  }

  build() {
    this.svg.replaceChildren();
    this.layers = make("g", { class: "axes", "aria-hidden": "true" }, this.svg);
    this.factual = make("path", { class: "factual" }, this.svg);
    this.target = make("path", { class: "target" }, this.svg);
    this.points = this.data.values.map((_, at) => this.point(at));
    this.shown = make("text", { class: "shown", "aria-hidden": "true" }, this.svg);
  }

  point(at) {
    const group = make("g", { class: "point", tabindex: "0", role: "slider", "aria-orientation": "horizontal" }, this.svg);
    make("circle", { class: "reach", r: 19 }, group);
    make("circle", { class: "dot", r: 8 }, group);
    group.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      group.focus({ preventScroll: true });
      group.setPointerCapture(event.pointerId);
      this.moving = { at, by: this.scoreAt(event) - this.data.values[at], moved: false };
      group.classList.add("held");
    });
    group.addEventListener("pointermove", (event) => {
      if (this.moving?.at !== at) return;
      this.moving.moved = true;
      this.move(at, this.scoreAt(event) - this.moving.by);
    });
    const end = () => {
      if (this.moving?.at !== at) return;
      const { moved } = this.moving;
      this.moving = null;
      group.classList.remove("held");
      if (moved) this.release();
    };
    group.addEventListener("pointerup", end);
    group.addEventListener("pointercancel", end);
    group.addEventListener("keydown", (event) => this.key(event, at));
    group.addEventListener("blur", () => {
      if (this.timer !== null) this.release();
      this.say(null);
    });
    group.addEventListener("focus", () => this.say(at));
    group.addEventListener("pointerenter", () => this.say(at));
    group.addEventListener("pointerleave", () => this.say(null));
    return group;
  }

  key(event, at) {
    const { low, high, values } = this.data;
    const step = ((high - low) / FINE) * (event.shiftKey ? 10 : 1);
    const wanted = {
      ArrowRight: values[at] + step,
      ArrowUp: values[at] + step,
      ArrowLeft: values[at] - step,
      ArrowDown: values[at] - step,
      PageUp: values[at] + 10 * step,
      PageDown: values[at] - 10 * step,
      Home: low,
      End: high,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.release(), PAUSE);
    this.move(at, wanted);
  }

  scoreAt(event) {
    const { low, high } = this.data;
    const inside = this.width - ROOM.left - ROOM.right;
    return low + ((event.clientX - this.svg.getBoundingClientRect().left - ROOM.left) / inside) * (high - low);
  }

  /** Put line, points and labels where the values are. */
  place() {
    const { probabilities, values, low, high } = this.data;
    let path = `M${this.x(low)},${this.y(0)}H${this.x(values[0])}`;
    values.forEach((value, i) => (path += `L${this.x(value)},${this.y(probabilities[i])}`));
    this.target.setAttribute("d", `${path}V${this.y(1)}H${this.x(high)}`);
    this.points.forEach((group, i) => {
      const share = `${words(100 * probabilities[i])}%`;
      group.setAttribute("transform", `translate(${this.x(values[i])},${this.y(probabilities[i])})`);
      group.setAttribute("aria-label", `Score that ${share} of the group should not exceed`);
      group.setAttribute("aria-valuemin", low);
      group.setAttribute("aria-valuemax", high);
      group.setAttribute("aria-valuenow", values[i]);
      group.setAttribute("aria-valuetext", words(values[i]));
    });
    this.say(this.told ?? null);
  }

  /** The number beside a point that is hovered, focused or held. */
  say(at) {
    this.told = this.moving?.at ?? at;
    if (this.told === null || this.told >= this.data.values.length) {
      this.shown.textContent = "";
      return;
    }
    const { probabilities, values } = this.data;
    const here = this.x(values[this.told]);
    const left = here > this.width - 170;
    this.shown.textContent = `${words(100 * probabilities[this.told])}% at or below ${words(values[this.told])}`;
    this.shown.setAttribute("x", here + (left ? -16 : 16));
    this.shown.setAttribute("y", this.y(probabilities[this.told]) + (probabilities[this.told] > 0.9 ? 18 : -10));
    this.shown.setAttribute("text-anchor", left ? "end" : "start");
  }

  axes() {
    const { low, high } = this.data;
    this.layers.replaceChildren();
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      make("line", { x1: ROOM.left, x2: this.width - ROOM.right, y1: this.y(share), y2: this.y(share) }, this.layers);
      label(`${100 * share}%`, { x: ROOM.left - 8, y: this.y(share) + 4, "text-anchor": "end" }, this.layers);
    }
    for (const value of ticks(low, high, Math.max(3, Math.floor(this.width / 110))))
      label(words(value), { x: this.x(value), y: HEIGHT - ROOM.bottom + 18, "text-anchor": "middle" }, this.layers);
    label("Score", { x: (ROOM.left + this.width - ROOM.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, this.layers);
  }
}

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.appendChild(element);
  return element;
}

function label(text, attributes, parent) {
  make("text", attributes, parent).textContent = text;
}

/** Round numbers between two ends. */
function ticks(low, high, about) {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
  return found;
}

function words(value) {
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}
