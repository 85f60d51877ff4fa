// The faces of the cards, drawn here: nothing is fetched. A card is known by its text ("7s", "Th", "XB").
// The index stands in a strip at the top, so that cards lying on each other can all be read.

const SVG = "http://www.w3.org/2000/svg";

// Each in a box of 32 by 32. The four suits differ in shape, not in colour alone.
const SHAPES = {
  s: "M16 1C26 10 31 14 31 19.5C31 24 27.5 26.5 24 26.5C21 26.5 18.7 25 17.3 23C17.6 26.5 19 29.5 21.5 31H10.5" +
    "C13 29.5 14.4 26.5 14.7 23C13.3 25 11 26.5 8 26.5C4.5 26.5 1 24 1 19.5C1 14 6 10 16 1Z",
  h: "M16 30C4 20 1 15 1 10C1 5 4.5 2 8.5 2C12 2 14.8 4.2 16 7C17.2 4.2 20 2 23.5 2C27.5 2 31 5 31 10C31 15 28 20 16 30Z",
  c: "M16 1a7 7 0 1 1 0 14a7 7 0 1 1 0-14ZM8 12a7 7 0 1 1 0 14a7 7 0 1 1 0-14ZM24 12a7 7 0 1 1 0 14a7 7 0 1 1 0-14Z" +
    "M13 12h6v8l-1 3c.4 3.5 1.6 6.5 3.4 8h-10.8c1.8-1.5 3-4.5 3.4-8l-1-3Z",
  d: "M16 1L27 16L16 31L5 16Z",
  // A cap with three bells for the jokers, and a knife.
  X: "M5 25L1 9L11 16L16 4L21 16L31 9L27 25ZM5 27H27V31H5ZM1 5.5a3 3 0 1 1 0 .1ZM14 2a2.6 2.6 0 1 1 0 .1ZM27 5.5a3 3 0 1 1 0 .1Z",
  knife: "M30 1C31 8 26 16 16 24L10 17ZM8 16L16 25L13.5 27.5L5.5 18.5ZM7 22L11 26.5L5 32L1 27.5Z",
};
const SIGNS = { s: "♠", h: "♥", c: "♣", d: "♦" };

function svg(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function shape(name, x, y, size, attributes = {}) {
  return svg("path", { d: SHAPES[name], transform: `translate(${x} ${y}) scale(${size / 32})`, ...attributes });
}

// "7s7h" as its cards.
function cardsOf(text) {
  return text.match(/../g) ?? [];
}

// A rank as it is written on a card.
function rankSign(rank) {
  return rank === "T" ? "10" : rank;
}

// A card in words: "♠7", with a word more where it is of the knife's rank, or a joker's name.
function cardName(card, labels, knife) {
  if (card[0] === "X") return card[1] === "B" ? labels.big_joker : labels.small_joker;
  const name = SIGNS[card[1]] + rankSign(card[0]);
  return card[0] === knife ? `${name} ${labels.knife_card}` : name;
}

function drawFace(card, knife, labels) {
  const joker = card[0] === "X";
  const big = card === "XB";
  const isKnife = !joker && card[0] === knife;
  const red = joker ? big : card[1] === "h" || card[1] === "d";
  const face = svg("svg", { viewBox: "0 0 60 84", class: `card ${red ? "red" : "black"}${isKnife ? " knife" : ""}` });
  face.append(svg("rect", { class: "paper", x: 1, y: 1, width: 58, height: 82, rx: 7 }));
  if (isKnife) face.append(svg("path", { class: "edge", d: "M1 8A7 7 0 0 1 8 1V83A7 7 0 0 1 1 76Z" }));
  const rank = joker ? (big ? labels.joker_big : labels.joker_small) : rankSign(card[0]);
  const index = svg("text", { x: joker ? 6 : 10, y: 21, class: joker ? "index joker" : "index" });
  index.textContent = rank;
  // A text that would be too wide is squeezed to fit.
  if (joker) index.setAttribute("textLength", 48);
  else if (rank === "10") index.setAttribute("textLength", 24);
  if (joker || rank === "10") index.setAttribute("lengthAdjust", "spacingAndGlyphs");
  face.append(index);
  if (joker) {
    face.append(shape("X", 13, 38, 34, big ? {} : { class: "hollow" }));
  } else {
    face.append(shape(card[1], 36, 5, 18), shape(card[1], isKnife ? 11 : 15, 40, 30));
    if (isKnife) face.append(shape("knife", 40, 60, 17, { class: "mark" }));
  }
  return face;
}

// Faces are drawn once and then copied.
function cardFaces(knife, labels) {
  const drawn = new Map();
  return (card) => {
    if (!drawn.has(card)) drawn.set(card, drawFace(card, knife, labels));
    return drawn.get(card).cloneNode(true);
  };
}
