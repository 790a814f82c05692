"use strict";
// What pages with a script share: their data, elements, tables, and a board.
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
// The side of a square, and how far an arrow stays away from the middle of the square that it points to.
const SQUARE = 40;
const ARROW_GAP = 6;

// Plies as texts have them: an amount halfway between two is rounded to the even one.
function shownPlies(plies) {
  const hundredths = 100 * plies;
  const below = Math.floor(hundredths);
  const rounded = hundredths - below === 0.5 ? below + (below % 2) : Math.round(hundredths);
  return (rounded / 100).toFixed(2);
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function button(text, label, action) {
  const made = element("button", "", text);
  made.type = "button";
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function table(head, rows) {
  const made = element("table");
  const add = (row, cell) => {
    const line = element("tr");
    row.forEach((text, index) => line.append(element(cell, index ? "right" : "", text)));
    made.append(line);
  };
  if (head) add(head, "th");
  rows.forEach((row) => add(row, "td"));
  return made;
}

// The contents of the squares after changes, each a square with the letter of its piece.
function changed(squares, changes) {
  for (const [square, piece] of changes) squares[square] = piece || ".";
  return squares;
}

function drawArrow([x, y], [toX, toY], kind) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const [tipX, tipY] = [toX - dx * ARROW_GAP, toY - dy * ARROW_GAP];
  const [neckX, neckY] = [tipX - dx * 15, tipY - dy * 15];
  const text = (atX, atY) => `${atX.toFixed(1)} ${atY.toFixed(1)}`;
  const at = (along, aside) => text(neckX + dx * along - dy * aside, neckY + dy * along + dx * aside);
  const off = Math.min(12, 0.15 * length);
  const start = (aside) => text(x + dx * off - dy * aside, y + dy * off + dx * aside);
  const d = `M${start(3.2)}L${at(0, 3.2)}L${at(0, 9)}L${at(15, 0)}L${at(0, -9)}L${at(0, -3.2)}L${start(-3.2)}Z`;
  return shape("path", { class: `arrow ${kind}`, d });
}

// A board with coordinates: marked squares, and arrows as [from, to, kind].
function drawBoard(squares, { marks = new Set(), arrows = [], flipped = false, label = "The position" } = {}) {
  const svg = shape("svg", { class: "board", viewBox: "-17 -1 338 338", role: "img", "aria-label": label });
  const place = (square) => {
    const [file, rank] = [square % 8, Math.floor(square / 8)];
    return flipped ? [(7 - file) * SQUARE, rank * SQUARE] : [file * SQUARE, (7 - rank) * SQUARE];
  };
  const middle = (square) => place(square).map((corner) => corner + SQUARE / 2);
  const size = { width: SQUARE, height: SQUARE };
  squares.forEach((piece, square) => {
    const [x, y] = place(square);
    const dark = (square + Math.floor(square / 8)) % 2 === 0;
    svg.append(shape("rect", { class: dark ? "square-dark" : "square-light", x, y, ...size }));
    if (marks.has(square)) svg.append(shape("rect", { class: "mark", x, y, ...size }));
    if (piece === ".") return;
    const color = piece === piece.toUpperCase() ? "white" : "black";
    svg.append(shape("use", { class: color, href: `#piece-${piece.toLowerCase()}`, x, y, ...size }));
  });
  for (const [from, to, kind] of arrows) svg.append(drawArrow(middle(from), middle(to), kind));
  for (let at = 0; at < 8; at++) {
    const file = shape("text", { class: "muted small middle", x: middle(at)[0], y: 334 });
    const rank = shape("text", { class: "muted small middle", x: -9, y: middle(at * 8)[1] + 4 });
    file.textContent = "abcdefgh"[at];
    rank.textContent = at + 1;
    svg.append(file, rank);
  }
  return svg;
}
