// Steps through lines of play. `now` is the line on the board, how many of its moves have been made, and whether it is
// the better line instead of a move of the chosen one.
const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder", "!": "sacrifice", "!!": "sacrifice" };
// As many names are searched rather than read.
const LONG = 12;
const first = data.choice === "slider" ? data.lines.findLastIndex((line) => line.position === 0) : 0;
const now = { chosen: first, better: null, ply: 0, flipped: false };

const chosen = () => data.lines[now.chosen];
// The lines of the chosen line's position.
const siblings = () => data.lines.filter((line) => line.position === chosen().position);
const line = () => (now.better === null ? chosen() : data.better[now.better.line]);
const areGames = data.lines.some((line) => line.moves.some((move) => move.judged));

// All accounts are drawn to the same scale: the limit, or the highest that any of them rose.
const scale = accountScale([...data.lines, ...data.better], data.limit);

function drawStage() {
  showPosition(line(), now.ply, now.flipped);
  for (const id of ["first", "back"]) get(id).disabled = now.ply === 0 && now.better === null;
  for (const id of ["forward", "last"]) get(id).disabled = now.ply === line().moves.length;
  drawAccounts(get("accounts"), line().moves, now.ply, data.limit, scale);
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
    if (judged?.mark) text.append(element("b", MARKS[judged.mark], judged.mark));
    if (judged?.theory) Object.assign(choose, { className: "theory", title: "opening theory" });
    choose.append(text, element("span", "number", judged ? judged.score : ""));
    choose.dataset.ply = index + 1;
    const cell = element("td");
    cell.append(choose);
    row.append(cell);
  });
  get("moves").replaceChildren(made);
}

// A field that is as the script sets it, also where a browser comes back to the page and would restore another value.
function field(name, properties) {
  return Object.assign(element(name), { autocomplete: "off", ...properties });
}

function markMove() {
  const after = now.better === null ? now.ply : now.better.after;
  const box = get("moves");
  for (const choose of box.querySelectorAll("button")) {
    const current = Number(choose.dataset.ply) === after;
    choose.setAttribute("aria-current", current);
    if (current) keepInView(box, choose);
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
  // The start has the value after the first move.
  const at = (value, ply) => `L${x(ply).toFixed(2)} ${y(value).toFixed(2)}`;
  const line = (values) => [values[0], ...values].map(at).join("");
  if (count > 0) picture.append(shape("path", { class: "area", d: `M0 100${line(points)}L100 100Z` }));
  picture.append(shape("path", { class: "half", d: "M0 50H100" }));
  for (const name of ["classical", "network"]) {
    const values = moves.map((move) => move.judged?.[name]).filter((value) => value !== undefined);
    const drawn = count > 0 && values.length === count;
    // Light and dark ground meet below a line: it has a ground of its own.
    for (const part of drawn ? ["halo", name] : []) {
      picture.append(shape("path", { class: part, d: line(values).replace("L", "M") }));
    }
    document.querySelector(`.statics .${name}`).hidden = !drawn;
  }
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
  document.querySelector(".over-game").hidden = count === 0;
  get("title").textContent = chosen().name;
  get("totals").textContent = chosen().heading;
}

// Buttons for these names, which up and down go through; with many, a search and an order too.
function choices(names, choose) {
  const list = element("div", "lines");
  const rows = names.map((name, index) => {
    const row = button(name, "", () => choose(index));
    row.dataset.index = index;
    return row;
  });
  list.append(...rows);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || hasModifier(event)) return;
    event.preventDefault();
    const shown = [...list.children].filter((row) => !row.hidden);
    const next = shown[shown.indexOf(event.target) + step];
    next?.focus();
    next?.click();
  });
  if (rows.length < LONG) return [list];
  list.classList.add("long");
  const search = field("input", { type: "search", size: 16 });
  const order = field("select");
  for (const [value, name] of [["index", "as given"], ["name", "by name"]]) order.add(new Option(name, value));
  searchable(search, rows);
  order.addEventListener("change", () => {
    const byName = (a, b) => compareNames(a.textContent, b.textContent);
    list.append(...(order.value === "name" ? [...rows].sort(byName) : rows));
  });
  const controls = element("p", "filter");
  for (const [name, control] of [["search ", search], ["order ", order]]) {
    const label = element("label", "", name);
    label.append(control);
    controls.append(label);
  }
  return [controls, list];
}

function drawChoice() {
  const box = get("choice");
  if (data.lines.length < 2) return;
  const choose = (index) => {
    show({ chosen: index, better: null, ply: Math.min(now.ply, data.lines[index].moves.length) });
  };
  if (data.choice === "slider") {
    if (data.positions) {
      const last = (position) => data.lines.findLastIndex((line) => line.position === position);
      box.append(...choices(data.positions, (position) => show({ chosen: last(position), ply: 0 })));
    }
    const slider = field("input", { type: "range", id: "slider", min: 0 });
    slider.addEventListener("input", () => choose(data.lines.indexOf(siblings()[slider.value])));
    const label = element("label", "", "Iteration ");
    label.htmlFor = "slider";
    label.append(element("strong"));
    box.append(label, slider);
  } else if (areGames) {
    const list = field("select");
    list.setAttribute("aria-label", "Game");
    data.lines.forEach((line, index) => list.add(new Option(line.name, index)));
    list.addEventListener("change", () => { now.ply = 0; choose(Number(list.value)); });
    box.append(list);
  } else {
    box.append(...choices(data.lines.map((line) => line.name), choose));
  }
}

function markChoice() {
  const slider = get("slider");
  if (slider) {
    slider.max = siblings().length - 1;
    slider.value = siblings().indexOf(chosen());
    slider.disabled = siblings().length === 1;
    slider.setAttribute("aria-valuetext", `iteration ${chosen().name}`);
    get("choice").querySelector("strong").textContent = `${chosen().name} of ${siblings().at(-1).name}`;
  }
  const index = slider ? chosen().position : now.chosen;
  for (const choice of get("choice").querySelectorAll("button")) {
    const pressed = Number(choice.dataset.index) === index;
    choice.setAttribute("aria-pressed", pressed);
    if (pressed) keepInView(choice.parentElement, choice);
  }
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
      const made = ledger(chosen(), (ply) => show({ ply }));
      get("ledger").replaceChildren(...(chosen().moves.length ? [made] : []));
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

function start() {
  driveStage(ACTIONS);
  get("curve")?.addEventListener("click", (event) => {
    const box = get("curve").getBoundingClientRect();
    const ply = Math.round((chosen().moves.length * (event.clientX - box.left)) / box.width);
    show({ better: null, ply: Math.min(Math.max(ply, 0), chosen().moves.length) });
  });
  drawChoice();
  show({ chosen: now.chosen });
}

start();
