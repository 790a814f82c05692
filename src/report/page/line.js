// Pages that step through lines of play share this: the stage with its board, the ledger of a line, both accounts.
const get = (id) => document.getElementById(id);
const ARROWS = { "next-best": "next best move", threat: "threat, if the mover passes", better: "better move" };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip" };

// The squares after a number of moves of a line.
function squaresAfter(line, ply) {
  const squares = [...line.start.board];
  for (const move of line.moves.slice(0, ply)) changed(squares, move.changes);
  return squares;
}

// Scrolls a box, but not the page, to have an element of it in the middle, if it is out of view.
function keepInView(box, inner) {
  const [outer, own] = [box.getBoundingClientRect(), inner.getBoundingClientRect()];
  if (own.top >= outer.top && own.bottom <= outer.bottom) return;
  box.scrollTop += own.top - outer.top - (outer.height - own.height) / 2;
}

// Shows the position after a number of moves of a line, with its name, arrows and FEN.
function showPosition(line, ply, flipped) {
  const last = line.moves[ply - 1];
  const arrows = last?.arrows || [];
  const white = line.start.white === (ply % 2 === 0);
  const fen = last ? last.fen : line.start.fen;
  const marks = new Set(last?.squares || []);
  const label = `The position: ${fen}`;
  get("board").replaceChildren(drawBoard(squaresAfter(line, ply), { marks, arrows, flipped, label }));
  const glyph = last?.judged?.mark || "";
  get("caption").textContent = `${last ? last.san + glyph : "start"}; ${white ? "White" : "Black"} to move`;
  get("arrows").replaceChildren(...arrows.map(([, , kind]) => {
    const key = element("span");
    const picture = shape("svg", { viewBox: "0 0 60 20", "aria-hidden": "true" });
    picture.append(drawArrow([-12, 10], [62, 10], kind));
    key.append(picture, ARROWS[kind]);
    return key;
  }));
  showFen(fen, line.start.chess960);
}

// Whether keys have a meaning of their own at an element: in fields, and where they scroll what is too wide.
function hasKeys(target) {
  const isScrolled = target.matches?.(".scroll") && target.scrollWidth > target.clientWidth;
  return isScrolled || target.closest?.("input, select, textarea");
}

// Whether a key is held that makes others a command of the browser's.
function hasModifier(event) {
  return event.ctrlKey || event.altKey || event.metaKey;
}

// Buttons and keys of the stage do these things; the FEN can be copied.
function driveStage(actions) {
  for (const [id, action] of Object.entries(actions)) get(id).addEventListener("click", action);
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    if (!action || hasModifier(event) || hasKeys(event.target)) return;
    event.preventDefault();
    actions[action]();
  });
  driveFen();
}

// The scale of the accounts of some lines: the limit, or the highest that any of them rose.
function accountScale(lines, limit) {
  const entries = lines.flatMap((line) => line.moves).flatMap((move) => move.entry || []);
  return entries.reduce((most, entry) => Math.max(most, entry.peak, entry.white, entry.black), limit || 0);
}

// The accounts after a number of moves, and what the last of them did; below the horizon those at the horizon.
function accounts(moves, ply) {
  const kept = moves.slice(0, ply).filter((move) => move.entry);
  const last = kept.at(-1);
  const is = last && last === moves[ply - 1] ? last : null;
  const side = (white) => {
    const balance = last ? last.entry[white ? "white" : "black"] : 0;
    const spent = is && is.white === white && is.entry.cashed ? is.entry.peak : balance;
    return { balance, spent, cashed: is && is.white === white ? is.entry.cashed : 0 };
  };
  return { white: side(true), black: side(false), outside: ply > 0 && !is };
}

// Both accounts after a number of moves of a line, as bars to a common scale, with the limit.
function drawAccounts(box, moves, ply, limit, scale) {
  if (!limit || !moves.some((move) => move.entry)) return box.replaceChildren();
  // Bars change their length; a new scale or limit is drawn from scratch.
  if (box.dataset.scale !== `${limit} ${scale}`) box.replaceChildren();
  box.dataset.scale = `${limit} ${scale}`;
  const percent = (plies) => `${(100 * Math.max(plies, 0)) / scale}%`;
  if (!box.children.length) {
    for (const name of ["White", "Black"]) {
      const row = element("div", "account");
      const track = element("div", "track");
      const mark = element("i", "limit");
      mark.style.left = percent(limit);
      track.append(element("i", "spent"), element("i", `fill ${name.toLowerCase()}-fill`), mark);
      row.append(element("span", "", name), track, element("span", "state"));
      box.append(row);
    }
    const names = element("div", "limit-name");
    const place = element("div");
    const name = element("span", "", `limit ${shownPlies(limit)}`);
    name.style.left = `min(${percent(limit)}, calc(100% - 2.6em))`;
    place.append(name);
    names.append(element("span"), place, element("span"));
    box.append(names);
  }
  const state = accounts(moves, ply);
  [state.white, state.black].forEach((side, index) => {
    const row = box.children[index];
    row.classList.toggle("outside", state.outside);
    row.querySelector(".fill").style.width = percent(side.balance);
    row.querySelector(".fill").classList.toggle("empty", side.balance <= 0);
    row.querySelector(".spent").style.width = percent(side.spent);
    const what = side.cashed ? `, cashed ${side.cashed}` : state.outside ? " unspent" : "";
    row.querySelector(".state").textContent = shownPlies(side.balance) + what;
  });
}

// The ledger of a line, White's entries left and Black's right; `go` shows the position after so many of its moves.
function ledger(line, go) {
  const made = element("table", "account-book");
  const head = made.createTHead().insertRow();
  for (const name of ["White", "account", "move", "account", "Black"]) head.append(element("th", "", name));
  line.moves.forEach((move, index) => {
    if (line.horizon?.before === index) made.append(rule(line.horizon.text));
    const body = element("tbody");
    const row = body.insertRow();
    const balance = (color) => (move.entry ? shownPlies(move.entry[color]) : "");
    const { own, other } = move.entry || { own: "", other: "" };
    const [left, right] = move.white ? [own, other] : [other, own];
    const cell = element("td");
    cell.append(button(move.san, "", () => go(index + 1)));
    row.append(element("td", "", left), element("td", "", balance("white")), cell);
    row.append(element("td", "", balance("black")), element("td", "", right));
    if (move.evidence) {
      const evidence = body.insertRow();
      evidence.className = "evidence";
      const text = element("td", "", move.evidence);
      text.colSpan = 5;
      evidence.append(text);
    }
    body.dataset.ply = index + 1;
    body.addEventListener("click", () => go(index + 1));
    made.append(body);
  });
  if (line.horizon?.before === line.moves.length) made.append(rule(line.horizon.text));
  return made;
}

function rule(text) {
  const body = element("tbody", "rule");
  const cell = element("td", "", text);
  cell.colSpan = 5;
  body.insertRow().append(cell);
  return body;
}
