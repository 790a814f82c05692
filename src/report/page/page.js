// Steps through lines of play. `now` is the line on the board, how many of its moves have been made, and whether it is
// the better line instead of a move of the chosen one.
const get = (id) => document.getElementById(id);
const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const ARROWS = { "next-best": "next best move", threat: "threat, if the mover passes", better: "better move" };
const now = { chosen: data.choice === "slider" ? data.lines.length - 1 : 0, better: null, ply: 0, flipped: false };

const chosen = () => data.lines[now.chosen];
const line = () => (now.better === null ? chosen() : data.better[now.better.line]);
const areGames = data.lines.some((line) => line.moves.some((move) => move.judged));

// All accounts are drawn to the same scale: the limit, or the highest that any of them rose.
const entries = [...data.lines, ...data.better].flatMap((line) => line.moves).flatMap((move) => move.entry || []);
const scale = entries.reduce((most, entry) => Math.max(most, entry.peak, entry.white, entry.black), data.limit || 0);

function squares() {
  const squares = [...line().start.board];
  for (const move of line().moves.slice(0, now.ply)) changed(squares, move.changes);
  return squares;
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

function drawAccounts() {
  const box = get("accounts");
  const moves = line().moves;
  if (!data.limit || !moves.some((move) => move.entry)) return box.replaceChildren();
  const percent = (plies) => `${(100 * Math.max(plies, 0)) / scale}%`;
  if (!box.children.length) {
    for (const name of ["White", "Black"]) {
      const row = element("div", "account");
      const track = element("div", "track");
      const limit = element("i", "limit");
      limit.style.left = percent(data.limit);
      track.append(element("i", "spent"), element("i", `fill ${name.toLowerCase()}-fill`), limit);
      row.append(element("span", "", name), track, element("span", "state"));
      box.append(row);
    }
    const names = element("div", "limit-name");
    const place = element("div");
    const name = element("span", "", `limit ${data.limit.toFixed(2)}`);
    name.style.left = `min(${percent(data.limit)}, calc(100% - 2.6em))`;
    place.append(name);
    names.append(element("span"), place, element("span"));
    box.append(names);
  }
  const state = accounts(moves, now.ply);
  [state.white, state.black].forEach((side, index) => {
    const row = box.children[index];
    row.classList.toggle("outside", state.outside);
    row.querySelector(".fill").style.width = percent(side.balance);
    row.querySelector(".fill").classList.toggle("empty", side.balance <= 0);
    row.querySelector(".spent").style.width = percent(side.spent);
    const what = side.cashed ? `, cashed ${side.cashed}` : state.outside ? " unspent" : "";
    row.querySelector(".state").textContent = side.balance.toFixed(2) + what;
  });
}

function drawStage() {
  const last = line().moves[now.ply - 1];
  const arrows = last?.arrows || [];
  const white = line().start.white === (now.ply % 2 === 0);
  const fen = last ? last.fen : line().start.fen;
  const marks = new Set(last?.squares || []);
  const label = `The position: ${fen}`;
  get("board").replaceChildren(drawBoard(squares(), { marks, arrows, flipped: now.flipped, label }));
  const glyph = last?.judged?.mark || "";
  get("caption").textContent = `${last ? last.san + glyph : "start"}; ${white ? "White" : "Black"} to move`;
  get("arrows").replaceChildren(...arrows.map(([, , kind]) => {
    const key = element("span");
    const picture = shape("svg", { viewBox: "0 0 60 20", "aria-hidden": "true" });
    picture.append(drawArrow([-12, 10], [62, 10], kind));
    key.append(picture, ARROWS[kind]);
    return key;
  }));
  get("fen").value = fen;
  const variant = line().start.chess960 ? "chess960" : "standard";
  get("elsewhere").href = `https://lichess.org/analysis/${variant}/${fen.replaceAll(" ", "_")}`;
  for (const id of ["first", "back"]) get(id).disabled = now.ply === 0 && now.better === null;
  for (const id of ["forward", "last"]) get(id).disabled = now.ply === line().moves.length;
  drawAccounts();
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
    const balance = (color) => (move.entry ? move.entry[color].toFixed(2) : "");
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

function markRow() {
    for (const body of get("ledger").querySelectorAll("tbody[data-ply]")) {
    const current = Number(body.dataset.ply) === now.ply && areGames === (now.better !== null);
    body.classList.toggle("current", current);
    body.querySelector("button").setAttribute("aria-current", current);
  }
}

// The better line instead of the move that is shown, with its ledger.
function drawBetter() {
  const after = now.better === null ? now.ply : now.better.after;
  const judged = chosen().moves[after - 1]?.judged;
  const box = get("ledger");
  if (box.dataset.after === `${now.chosen} ${after}`) return;
  box.dataset.after = `${now.chosen} ${after}`;
  box.replaceChildren();
  box.className = "better";
  if (judged?.better === undefined) return;
  const better = data.better[judged.better];
  box.append(element("h3", "", chosen().moves[after - 1].san + judged.mark), element("p", "", judged.comment));
  box.append(element("p", "muted", better.heading));
  box.append(ledger(better, (ply) => show({ better: { line: judged.better, after }, ply })));
}

function drawMoves() {
  const made = element("table");
  let row;
  chosen().moves.forEach((move, index) => {
    const [, number, san] = move.san.match(/^(\d+)\.+(.*)$/);
    if (!row || move.white) {
      row = made.insertRow();
      row.append(element("td", "", `${number}.`));
      if (!move.white) row.append(element("td", "muted", "..."));
    }
    const { judged } = move;
    const choose = button("", "", () => show({ better: null, ply: index + 1 }));
    const text = element("span", "", san);
    if (judged?.mark) text.append(element("b", "", judged.mark));
    choose.append(text, element("span", "number", judged ? judged.score : ""));
    choose.dataset.ply = index + 1;
    const cell = element("td");
    cell.append(choose);
    row.append(cell);
  });
  get("moves").replaceChildren(made);
}

function markMove() {
  const after = now.better === null ? now.ply : now.better.after;
  const box = get("moves");
  for (const choose of box.querySelectorAll("button")) {
    const current = Number(choose.dataset.ply) === after;
    choose.setAttribute("aria-current", current);
    const top = choose.offsetTop;
    if (current && (top < box.scrollTop || top + 30 > box.scrollTop + box.clientHeight)) box.scrollTop = top - 90;
  }
  if (get("curve").lastChild) get("curve").lastChild.style.left = `${(100 * after) / chosen().moves.length}%`;
}

// White's expected score after each move, with a button for each marked move.
function drawCurve() {
  const moves = chosen().moves;
  const count = moves.length;
  const points = moves.map((move) => move.judged?.points ?? 0.5);
  const x = (ply) => (100 * ply) / count;
  const y = (points) => 100 * (1 - points);
  const picture = shape("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  const path = points.map((value, index) => `L${x(index + 1).toFixed(2)} ${y(value).toFixed(2)}`).join("");
  picture.append(shape("path", { class: "area", d: `M0 100L0 ${y(points[0] ?? 0.5).toFixed(2)}${path}L100 100Z` }));
  picture.append(shape("path", { class: "half", d: "M0 50H100" }));
  const dots = moves.flatMap((move, index) => {
    if (!move.judged?.mark) return [];
    const dot = button("", `${move.san}${move.judged.mark}: ${move.judged.comment}`, (event) => {
      event.stopPropagation();
      show({ better: null, ply: index + 1 });
    });
    dot.className = MARKS[move.judged.mark];
    dot.title = `${move.san}${move.judged.mark}`;
    dot.style.left = `${x(index + 1)}%`;
    dot.style.top = `${y(points[index])}%`;
    return [dot];
  });
  get("curve").replaceChildren(picture, ...dots, element("i", "now"));
  get("title").textContent = chosen().name;
  get("totals").textContent = chosen().heading;
}

function drawChoice() {
  const box = get("choice");
  if (data.lines.length < 2) return;
  const choose = (index) => {
    show({ chosen: index, better: null, ply: Math.min(now.ply, data.lines[index].moves.length) });
  };
  if (data.choice === "slider") {
    const slider = element("input");
    Object.assign(slider, { type: "range", id: "slider", min: 0, max: data.lines.length - 1, value: now.chosen });
    slider.addEventListener("input", () => choose(Number(slider.value)));
    const label = element("label", "", "Iteration ");
    label.htmlFor = "slider";
    label.append(element("strong"));
    box.append(label, slider);
  } else if (areGames) {
    const list = element("select");
    list.setAttribute("aria-label", "Game");
    data.lines.forEach((line, index) => list.add(new Option(line.name, index)));
    list.addEventListener("change", () => { now.ply = 0; choose(Number(list.value)); });
    box.append(list);
  } else {
    const list = element("div", "lines");
    data.lines.forEach((line, index) => list.append(button(line.name, "", () => choose(index))));
    box.append(list);
  }
}

function markChoice() {
  const slider = get("slider");
  if (slider) {
    slider.value = now.chosen;
    slider.setAttribute("aria-valuetext", `iteration ${chosen().name}`);
    get("choice").querySelector("strong").textContent = `${chosen().name} of ${data.lines.at(-1).name}`;
  }
  get("choice").querySelectorAll("button").forEach((choice, index) => {
    choice.setAttribute("aria-pressed", index === now.chosen);
  });
}

// Shows another state; a newly chosen line draws what belongs to it.
function show(change) {
  const isOther = "chosen" in change;
  Object.assign(now, change);
  if (isOther) {
    markChoice();
    if (areGames) {
      drawCurve();
      drawMoves();
    } else {
      get("heading").textContent = chosen().heading;
      get("ledger").replaceChildren(ledger(chosen(), (ply) => show({ ply })));
    }
  }
  drawStage();
  if (areGames) {
    drawBetter();
    markMove();
  }
  markRow();
}

// One move on or back; before the first move of a better line the game is shown again.
function step(by) {
  const ply = now.ply + by;
  if (now.better !== null && ply < 1) show({ better: null, ply: now.better.after });
  else if (ply >= 0 && ply <= line().moves.length) show({ ply });
}

const ACTIONS = {
  first: () => (now.better === null ? show({ ply: 0 }) : show({ better: null, ply: now.better.after })),
  back: () => step(-1),
  forward: () => step(1),
  last: () => show({ ply: line().moves.length }),
  flip: () => show({ flipped: !now.flipped }),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip" };

function start() {
  for (const [id, action] of Object.entries(ACTIONS)) get(id).addEventListener("click", action);
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select")) return;
    event.preventDefault();
    ACTIONS[action]();
  });
  get("copy").addEventListener("click", async () => {
    get("fen").select();
    try { await navigator.clipboard.writeText(get("fen").value); } catch { document.execCommand("copy"); }
    get("copy").textContent = "copied";
    setTimeout(() => { get("copy").textContent = "copy"; }, 1500);
  });
  get("curve")?.addEventListener("click", (event) => {
    const box = get("curve").getBoundingClientRect();
    const ply = Math.round((chosen().moves.length * (event.clientX - box.left)) / box.width);
    show({ better: null, ply: Math.min(Math.max(ply, 0), chosen().moves.length) });
  });
  drawChoice();
  show({ chosen: now.chosen });
}

if (data.lines.length) start();
