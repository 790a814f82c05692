// One game, the position in it that is shown and searched, and the columns. `shown` is a ply of a column's line on
// the board, instead of the game.
const now = { line: null, uci: [], ply: 0, flipped: false, legalMoves: [], shown: null };

const gamePath = () => {
  const { fen, chess960 } = now.line.start;
  return { fen, chess960, moves: now.uci.slice(0, now.ply) };
};
const shownLine = () => (now.shown ? now.shown.column.iteration.line : now.line);
const shownPly = () => (now.shown ? now.shown.ply : now.ply);

const columns = [...document.querySelectorAll(".column")].map((box) => new Column(box, {
  gamePath,
  show,
  backToGame: () => { if (now.shown) show(null); },
  shown: (column) => (now.shown?.column === column ? now.shown.ply : null),
}));

const drag = makeDrag({
  board: get("board"),
  legalMoves: () => (now.shown ? [] : now.legalMoves),
  isFlipped: () => now.flipped,
  redraw: drawStage,
  play: (moves) => (moves.length > 1 ? promote(moves) : play(moves[0].uci)),
});

function drawStage() {
  showPosition(shownLine(), shownPly(), now.flipped);
  drag.mark();
  get("board").classList.toggle("movable", !now.shown);
  get("return").hidden = !now.shown;
  get("promotion").replaceChildren();
  for (const id of ["first", "back"]) get(id).disabled = shownPly() === 0 && !now.shown;
  for (const id of ["forward", "last"]) get(id).disabled = shownPly() === shownLine().moves.length;
}

function drawMoves() {
  refill(get("moves"), now.line.moves.map((move, index) => {
    const text = move.white || index === 0 ? move.san : move.san.replace(/^\d+\.+/, "");
    // By its number the focus finds it again.
    const made = button(text, move.san, () => goTo(index + 1));
    made.setAttribute("aria-current", index + 1 === now.ply);
    return made;
  }));
  const current = get("moves").querySelector("[aria-current=true]");
  if (current) keepInView(get("moves"), current);
}

// A ply of a column's line on the board, or the game again.
function show(shown) {
  now.shown = shown;
  drag.from = null;
  drawStage();
  columns.forEach((column) => column.lineShown());
}

// Another position of the game: its legal moves are requested, and running searches start again.
async function go(ply) {
  now.ply = ply;
  now.legalMoves = [];
  show(null);
  drawMoves();
  const requested = gamePath();
  columns.forEach((column) => column.positionChanged());
  try {
    const { moves, over } = await (await post("/moves", requested)).json();
    if (JSON.stringify(requested) !== JSON.stringify(gamePath())) return;
    now.legalMoves = moves;
    note(over ?? "");
  } catch (error) { note(error.message); }
}

// The same, unless it is there already: then the game is shown again, and what runs goes on.
function goTo(ply) {
  return ply === now.ply ? show(null) : go(ply);
}

function note(text) {
  get("note").textContent = text;
}

// Shows another game.
function setGame({ line, uci, note: text }, ply) {
  Object.assign(now, { line, uci });
  get("wrong").textContent = text ?? "";
  return go(ply);
}

// Plays a move; where the game goes on with it, it is kept.
async function play(uci) {
  if (now.uci[now.ply] === uci) return go(now.ply + 1);
  const { moves, ...start } = gamePath();
  try {
    const answer = await post("/play", { ...start, moves: [...moves, uci] });
    await setGame(await answer.json(), moves.length + 1);
  } catch (error) { note(error.message); }
}

function promote(moves) {
  get("promotion").replaceChildren(...moves.map((move) => button(move.san, "", () => play(move.uci))));
  get("promotion").firstChild.focus();
}

async function read(text, chess960) {
  get("wrong").textContent = "";
  try {
    await setGame(await (await post("/read", { text, chess960 })).json(), 0);
  } catch (error) { get("wrong").textContent = error.message; }
}

// One move on or back; before the first move of a column's line the game is shown again.
function step(by) {
  const ply = shownPly() + by;
  if (now.shown && ply < 1) show(null);
  else if (ply >= 0 && ply <= shownLine().moves.length) (now.shown ? show({ ...now.shown, ply }) : go(ply));
}

// Plays the move that was typed; whether there is one. Castling may be written with zeros.
function typed(text) {
  const bare = (san) => san.replace(/[+#!?]/g, "").replaceAll("0", "O");
  const found = now.legalMoves.find((move) => move.uci === text || bare(move.san) === bare(text));
  if (now.shown) note("a line is on the board: go back to the game first");
  else if (found) play(found.uci);
  else note(text ? `${text} is not a legal move here` : "type a move");
  return Boolean(found) && !now.shown;
}

driveStage({
  first: () => (now.shown ? show(null) : goTo(0)),
  back: () => step(-1),
  forward: () => step(1),
  last: () => (now.shown ? show({ ...now.shown, ply: shownLine().moves.length }) : goTo(now.line.moves.length)),
  flip: () => {
    now.flipped = !now.flipped;
    drawStage();
  },
});
get("return").addEventListener("click", () => show(null));
get("new").addEventListener("click", () => read(data.fen, false));
get("example").addEventListener("click", async () => {
  await read(data.example, false);
  get("wrong").textContent = "";
  columns.forEach((column) => column.search());
});
get("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  read(get("text").value, get("chess960").checked);
});
get("type").addEventListener("submit", (event) => {
  event.preventDefault();
  if (typed(get("move").value.trim())) get("move").value = "";
});
read(data.fen, false);
