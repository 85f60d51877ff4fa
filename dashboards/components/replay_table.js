// What lies on the table at a position: seats, the trick, hands, a violation. Only `replay.js` moves.

function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function fill(label, fields) {
  return label.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}

// Cards lying on each other: one pile each time `apart` changes.
function piles(cards, face, apart) {
  const made = el("span", { class: "piles", "aria-hidden": "true" });
  let pile = null;
  let known = null;
  for (const card of cards) {
    if (pile === null || apart(card) !== known) {
      pile = el("span", { class: "pile" });
      made.append(pile);
      known = apart(card);
    }
    pile.append(face(card));
  }
  for (const each of made.children) each.style.setProperty("--deep", each.children.length);
  return made;
}

// Which side a seat is on, as far as those at the table know it (A6): 0, 1, or null.
function sideOf(table, seat, state) {
  const { deal, data, at } = table;
  if (data.variant === "four" || seat === deal.dealer) return deal.sides[seat];
  const all = at.partner || table.over || state.revealed.length === deal.most_partners;
  return all || state.revealed.includes(seat) ? deal.sides[seat] : null;
}

function allKnown(table, state) {
  return table.data.seats.every((_, seat) => sideOf(table, seat, state) !== null);
}

function showCentre(table, state, made, broken) {
  const { deal, data } = table;
  const fact = (name, ...value) => el("span", { class: "fact" }, el("i", {}, table.label(name)), " ", ...value);
  const small = (card) => el("span", { class: "small", role: "img", "aria-label": cardName(card, data.labels, deal.knife) }, table.face(card));
  const over = made?.taken && !broken?.play;
  // A play that breaks a rule may be the first of a trick of its own.
  const next = made?.taken && broken?.play ? 1 : 0;
  const top = made ? table.label("trick", { trick: made.trick + next }) : table.label("no_trick");
  const points = over ? made.taken.said : table.label("on_table", { points: state.points });
  const known = allKnown(table, state);
  const sides = data.sides.map((name, side) =>
    el("span", { class: `side side${side}` }, name, " ", el("b", {}, known ? String(state.by_side[side]) : "?")));
  table.centre.replaceChildren(
    el("strong", {}, top), el("span", { class: "points" }, points),
    el("span", { class: "facts" },
      fact("knife", deal.knife ? el("b", { class: "knife" }, rankSign(deal.knife)) : table.label("no_knife")),
      fact("drawn", small(deal.drawn)),
      deal.called ? fact("called", small(deal.called)) : null,
      fact("atoms", el("b", {}, String(state.atoms)))),
    el("span", { class: "sides", title: known ? null : table.label("unknown") }, el("i", {}, table.label("captured")), ...sides));
}

function showSeat(table, seat, number, state, trick, made, broken, forward) {
  const { deal, data, at } = table;
  const own = number === at.seat;
  const turn = broken?.play ? broken.play.seat === number : !table.over && state.turn === number;
  const side = sideOf(table, number, state);
  const place = state.finish.indexOf(number);
  const mark = (label, tone) => el("span", { class: `mark ${tone}` }, label);
  const role = side === null || data.variant === "four" ? null
    : number === deal.dealer ? mark(table.label("dealer"), "side0")
    : mark(table.label(side === 0 ? "partner_mark" : "defender"), `side${side}`);
  seat.box.className = `seat at-${data.places[at.seat][number]}${turn ? " turn" : ""}${turn && broken?.play ? " wrong" : ""}${side === null ? "" : ` is-side${side}`}`;
  seat.plate.replaceChildren(
    el("span", { class: "who" }, el("b", {}, seat.name), " ",
      data.names[number] ? el("bdi", { dir: "auto", title: data.names[number] }, data.names[number]) : null),
    el("span", { class: "marks" }, role,
      place < 0 ? null : mark(place === 0 ? table.label("upstream") : table.label("out", { place: place + 1 }), "out"),
      turn && !broken?.play ? mark(table.label("turn"), "now") : null),
    el("span", { class: "figures" },
      el("span", {}, el("i", {}, table.label("captured")), " ", el("b", {}, String(state.captured[number]))),
      el("span", {}, el("i", {}, table.label("cards")), " ", el("b", {}, String(state.cards[number])))));
  showPlay(table, seat, number, trick, forward);
  showHand(table, seat, number, state, own);
}

// The last thing that a seat did in this trick.
function showPlay(table, seat, number, trick, forward) {
  const best = trick.filter(([, play]) => play.cards && !play.broken).at(-1)?.[1];
  const last = trick.filter(([, play]) => play.seat === number).at(-1)?.[1];
  if (!last) {
    seat.play.replaceChildren();
    return;
  }
  const newest = last === trick.at(-1)[1];
  const tone = `${last.broken ? " broken" : last === best ? " best" : ""}${newest && forward ? " new" : ""}`;
  if (!last.cards) {
    seat.play.replaceChildren(el("span", { class: `cards passed${tone}` }, last.text ?? table.label("pass")));
    return;
  }
  const cards = cardsOf(last.cards);
  const shown = el("span", { class: `cards${tone}`, role: "img", "aria-label": last.what ? `${last.text} (${last.what})` : last.text },
    piles(cards, table.face, (card) => card));
  const marks = (last.marks ?? []).map((mark) => el("span", { class: "mark event" }, mark));
  seat.play.replaceChildren(shown, marks.length ? el("span", { class: "marks" }, ...marks) : "");
}

function showHand(table, seat, number, state, own) {
  const { at, data } = table;
  const open = own || at.open;
  const text = open ? state.hands[number][at.order === "count" ? 1 : 0] : "";
  const key = `${open} ${own} ${text}`;
  if (seat.shown === key) return;
  seat.shown = key;
  const cards = cardsOf(text);
  seat.hand.className = `hand${own ? " mine" : ""}`;
  seat.hand.hidden = !open;
  const left = table.label("cards_left", { count: cards.length });
  seat.hand.setAttribute("aria-label",
    `${table.label("hand_of", { seat: seat.name })}: ${left} ${cards.map((card) => cardName(card, data.labels, table.deal.knife)).join(", ")}`);
  seat.hand.replaceChildren(piles(cards, table.face, (card) => card[0]));
}

function showStop(table, broken) {
  table.stop.hidden = !broken;
  if (!broken) {
    table.stop.replaceChildren();
    return;
  }
  table.stop.replaceChildren(
    el("strong", {}, table.label("violation_is", { what: broken.name })), el("p", {}, broken.message),
    el("p", {}, `${table.label("rule_is", { what: broken.rule })} `, ...broken.clauses.map((clause) => el("span", { class: "clause" }, clause))));
}

function showTrick(table, trick) {
  const { data } = table;
  table.trick.replaceChildren(...trick.map(([place, play]) =>
    el("li", {},
      el("button", { type: "button", class: play.broken ? "broken" : play.cards ? "" : "passed",
        "aria-current": place === table.at.play ? "step" : null,
        onclick: () => {
          table.change({ play: place });
          table.stage.focus({ preventScroll: true });
        } },
        el("b", {}, data.seats[play.seat]), " ", play.text ?? table.label("pass")))));
}
