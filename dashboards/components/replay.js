// Steps through one match. Python sends every play with what the referee's table held after it; nothing about the game
// is decided here. All that comes from data becomes text nodes and attributes, never HTML.

const EVERY = { deal: 0, play: 0, seat: null, order: "rank", open: false, partner: false };
const WIDE = 760;
// Browsers allow only so many changes of the address in a while.
const ADDRESS_AFTER = 200;
// Milliseconds from play to play while it plays by itself.
const PACE = 1000;
const KEYS = { ArrowLeft: "play_back", ArrowRight: "play_on", PageUp: "trick_back", PageDown: "trick_on", Home: "start", End: "end" };
const ICONS = {
  start: "M5 5H8V19H5ZM19 5V19L9 12Z", trick_back: "M12 5V19L3 12ZM21 5V19L12 12Z", play_back: "M17 5V19L7 12Z",
  play_on: "M7 5V19L17 12Z", trick_on: "M12 5V19L21 12ZM3 5V19L12 12Z", end: "M16 5H19V19H16ZM5 5V19L15 12Z",
};

// The state after each play, and the position at which each trick ends.
function unfold(deal) {
  const states = deal.state ? [{ ...deal.state, hands: deal.hands }] : [];
  const ends = [0];
  deal.plays.forEach((play, at) => {
    const before = states[at];
    const hands = play.hand ? before.hands.map((hand, seat) => (seat === play.seat ? play.hand : hand)) : before.hands;
    states.push({ ...before, ...play.changed, hands });
    if (play.taken) ends.push(at + 1);
  });
  const last = deal.plays.length + (deal.stop?.play && deal.state ? 1 : 0);
  if (ends.at(-1) !== last) ends.push(last);
  return { ...deal, states, ends, last };
}

class Table {
  constructor(root) {
    this.root = root;
    this.at = null;
    this.running = null;
    root.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.placeHands()).observe(root);
  }

  // New data: of another match, or of the same in another language; then the position stays.
  show(data) {
    const same = this.data && this.data.match === data.match;
    if (!same) this.halt();
    this.data = data;
    this.label = (name, fields = {}) => fill(data.labels[name], fields);
    this.deals = data.deals.map(unfold);
    this.at = same ? this.at : this.fromAddress();
    this.clamp();
    this.build();
    this.update(false);
    // The server writes the address as it knew it when the page was opened: what was reached since goes back in.
    if (same) this.toAddress();
  }

  // ---- the address

  fromAddress() {
    const asked = new URLSearchParams(location.search);
    const number = (name, other) => (/^\d{1,6}$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : other);
    return {
      deal: number("deal", EVERY.deal), play: number("play", EVERY.play), seat: number("seat", this.data.viewer),
      order: asked.get("order") === "count" ? "count" : "rank",
      open: asked.get("open") === "1", partner: asked.get("partner") === "1",
    };
  }

  toAddress() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const url = new URL(location.href);
      // Another page may have taken this one's place meanwhile.
      if (!this.root.isConnected || url.searchParams.get("match") !== this.data.match) return;
      const usual = { ...EVERY, seat: this.data.viewer };
      for (const [name, value] of Object.entries(this.at)) {
        if (value === usual[name]) url.searchParams.delete(name);
        else url.searchParams.set(name, value === true ? "1" : String(value));
      }
      history.replaceState(history.state, "", url);
    }, ADDRESS_AFTER);
  }

  clamp() {
    const at = this.at;
    at.deal = Math.min(at.deal, this.deals.length - 1);
    at.play = Math.max(0, Math.min(at.play, this.deals[at.deal].last));
    if (at.seat >= this.data.seats.length) at.seat = this.data.viewer;
  }

  // ---- moving

  get deal() {
    return this.deals[this.at.deal];
  }

  // Whether the deal came to its end here: then all is known and nobody is to play.
  get over() {
    return this.at.play === this.deal.last && !this.deal.stop;
  }

  target(move) {
    const { ends, last } = this.deal;
    const { play } = this.at;
    if (move === "start") return 0;
    if (move === "end") return last;
    if (move === "play_back") return play - 1;
    if (move === "play_on") return play + 1;
    if (move === "trick_on") return ends.find((end) => end > play) ?? last;
    return ends.findLast((end) => end < play) ?? 0;
  }

  key(event) {
    const move = KEYS[event.key];
    // Buttons and boxes have the space bar for themselves.
    const toRun = event.key === " " && !["BUTTON", "INPUT", "SELECT"].includes(event.target.tagName);
    if (!(move || toRun) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A list of choices keeps its own keys.
    if (event.target.tagName === "SELECT") return;
    event.preventDefault();
    event.stopPropagation();
    if (toRun) this.run();
    else this.change({ play: this.target(move) });
  }

  // Play by itself from here, from the start if this is the end; once more: stop.
  run() {
    if (this.running !== null) {
      this.halt();
      return;
    }
    if (this.at.play === this.deal.last) this.change({ play: 0 });
    this.running = setInterval(() => this.goOn(), PACE);
    this.showRunning();
  }

  goOn() {
    if (!this.root.isConnected) {
      this.halt();
      return;
    }
    this.move({ play: this.at.play + 1 });
    if (this.at.play === this.deal.last) this.halt();
  }

  halt() {
    clearInterval(this.running);
    this.running = null;
    if (this.runner) this.showRunning();
  }

  showRunning() {
    const running = this.running !== null;
    this.runner.textContent = this.label(running ? "halt" : "run");
    this.said.setAttribute("aria-live", running ? "off" : "polite");
  }

  // What a reader does; to go to another play stops what plays by itself.
  change(wanted) {
    if ("play" in wanted) this.halt();
    this.move(wanted);
  }

  move(wanted) {
    const before = { ...this.at };
    Object.assign(this.at, wanted);
    this.clamp();
    if (this.at.deal !== before.deal) this.build();
    this.update(this.at.play === before.play + 1 && this.at.deal === before.deal);
    this.toAddress();
  }

  // ---- what is made once for a deal

  build() {
    const focused = this.root.getRootNode().activeElement?.dataset?.name;
    const { data, deal } = this;
    this.face = cardFaces(deal.knife, data.labels);
    this.seats = data.seats.map((name, seat) => {
      const plate = el("div", { class: "plate" });
      const play = el("div", { class: "play" });
      const hand = el("div", { class: "hand", role: "img" });
      return { name, plate, play, hand, shown: null, box: el("div", { class: "seat" }, plate, play) };
    });
    this.centre = el("div", { class: "centre" });
    this.stage = el("div", { class: "stage", tabindex: 0, role: "group", "aria-label": this.label("table"), "data-name": "stage" },
      this.centre, ...this.seats.map((seat) => seat.box));
    this.slider = el("input", {
      type: "range", min: 0, max: deal.last, "data-name": "slider", "aria-label": this.label("title"),
      oninput: () => this.change({ play: Number(this.slider.value) }),
    });
    this.position = el("span", { class: "position" });
    const buttons = Object.keys(ICONS).map((move) =>
      el("button", { type: "button", "data-name": move, title: this.label(move), "aria-label": this.label(move),
        onclick: () => this.change({ play: this.target(move) }) },
        svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[move] }))));
    this.buttons = Object.fromEntries(Object.keys(ICONS).map((move, place) => [move, buttons[place]]));
    this.runner = el("button", { type: "button", class: "runner", "data-name": "runner", onclick: () => this.run() });
    this.said = el("p", { class: "said", "aria-live": "polite", "aria-atomic": "true" });
    this.stop = el("div", { class: "stop", role: "alert", hidden: true });
    this.own = el("div", { class: "own" });
    this.others = el("div", { class: "others" });
    this.trick = el("ol", { class: "trick" });
    this.root.replaceChildren(
      this.options(),
      this.stage,
      el("div", { class: "controls" }, el("div", { class: "buttons" }, ...buttons, this.runner), this.slider, this.position),
      this.stop, this.said, this.own, this.others,
      el("h4", {}, this.label("in_trick")), this.trick,
      el("p", { class: "keys" }, this.label("keys")));
    this.showRunning();
    if (focused) this.root.querySelector(`[data-name="${focused}"]`)?.focus();
  }

  options() {
    const { data, at } = this;
    const choice = (name, label, values, chosen, change) =>
      el("label", {}, el("span", {}, label),
        el("select", { "data-name": name, onchange: (event) => change(event.target.value) },
          ...values.map(([value, said]) => el("option", { value, selected: String(value) === String(chosen) }, said))));
    const toggle = (name) =>
      el("label", { class: "toggle" },
        el("input", { type: "checkbox", "data-name": name, checked: at[name],
          onchange: (event) => this.change({ [name]: event.target.checked }) }),
        el("span", {}, this.label(name)));
    const seats = data.seats.map((name, seat) => [seat, data.names[seat] ? `${name} · ${data.names[seat]}` : name]);
    return el("div", { class: "options" },
      this.deals.length > 1
        ? choice("deal", this.label("deal"), this.deals.map((deal, place) => [place, deal.name]), at.deal,
          (value) => this.change({ deal: Number(value), play: 0 }))
        : null,
      choice("seat", this.label("viewer"), seats, at.seat, (value) => this.change({ seat: Number(value) })),
      choice("order", this.label("order"), [["rank", this.label("by_rank")], ["count", this.label("by_count")]], at.order,
        (value) => this.change({ order: value })),
      toggle("open"),
      data.variant === "five" ? toggle("partner") : null);
  }

  // ---- what changes with each step

  update(forward) {
    const { deal, at } = this;
    const state = deal.states[Math.min(at.play, deal.plays.length)];
    const broken = deal.stop && at.play === deal.last ? deal.stop : null;
    this.slider.value = at.play;
    const said = at.play === 0 ? this.label("dealt") : this.label("position", { play: at.play, plays: deal.last });
    this.position.textContent = said;
    this.slider.setAttribute("aria-valuetext", said);
    for (const [move, button] of Object.entries(this.buttons)) {
      const there = ["start", "trick_back", "play_back"].includes(move) ? at.play === 0 : at.play === deal.last;
      // Not disabled: that would drop the focus of whoever pressed it.
      button.setAttribute("aria-disabled", there);
    }
    showStop(this, broken);
    if (!state) {
      this.stage.hidden = true;
      this.said.textContent = this.label("no_play");
      return;
    }
    const made = deal.plays[Math.min(at.play, deal.plays.length) - 1] ?? null;
    const trick = this.trickPlays(made, broken);
    const words = [made?.said, this.over ? deal.end : null].filter(Boolean);
    // A violation speaks for itself.
    this.said.textContent = broken && (broken.play || !made) ? "" : words.join(" · ") || said;
    showCentre(this, state, made, broken);
    this.seats.forEach((seat, number) => showSeat(this, seat, number, state, trick, made, broken, forward));
    showTrick(this, trick);
    this.placeHands();
  }

  // The plays of the trick that the last play belongs to, as [position, play].
  trickPlays(made, broken) {
    const { deal, at } = this;
    const found = [];
    if (made && !(broken?.play && made.taken)) {
      let from = Math.min(at.play, deal.plays.length) - 1;
      while (from > 0 && deal.plays[from - 1].trick === made.trick) from -= 1;
      for (let place = from; place < Math.min(at.play, deal.plays.length); place += 1) found.push([place + 1, deal.plays[place]]);
    }
    if (broken?.play) found.push([deal.last, { ...broken.play, broken: true }]);
    return found;
  }

  // A viewer's own hand lies below the table; open hands of others at their seats, or below where the screen is narrow.
  placeHands() {
    if (!this.seats || !this.data) return;
    const wide = this.root.clientWidth >= WIDE;
    this.root.classList.toggle("wide", wide);
    this.root.classList.toggle("laid-open", this.at.open);
    const below = [];
    this.seats.forEach((seat, number) => {
      if (number === this.at.seat) {
        if (seat.hand.parentNode !== this.own) this.own.replaceChildren(seat.hand);
      } else if (wide || !this.at.open) {
        if (seat.hand.parentNode !== seat.box) seat.box.append(seat.hand);
      } else {
        below.push([this.data.places[this.at.seat][number], el("span", { class: "whose" }, seat.name), seat.hand]);
      }
    });
    const wanted = below.map(([, , hand]) => hand);
    const there = [...this.others.querySelectorAll(".hand")];
    if (wanted.length !== there.length || wanted.some((hand, place) => hand !== there[place])) {
      this.others.replaceChildren(...below.map(([, name, hand]) => el("div", { class: "other" }, name, hand)));
    }
  }
}

const tables = new WeakMap();

// Streamlit calls this with each new data; the element stays.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".replay");
  if (!tables.has(root)) tables.set(root, new Table(root));
  tables.get(root).show(data);
}
