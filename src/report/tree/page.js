// Rows that an opened visit shows at once; a button shows as many more.
const PAGE = 200;
const [ROOT, , EVIDENCE, , VERIFICATION] = data.reasons.keys();
const STOPPED = data.ends.length - 1;

function plies(units) {
  return shownPlies(units / data.per_ply);
}

// An item of a list that is part of the tree only by what it holds.
function listItem() {
  const item = element("li");
  item.setAttribute("role", "none");
  return item;
}

class TreeView {
  constructor(tree, box) {
    this.tree = tree;
    this.box = box;
    this.items = new Map();
    this.parts = new Set(tree.parts);
    const count = tree.size.length;
    this.parent = new Int32Array(count).fill(-1);
    this.ply = new Int32Array(count);
    const open = [];
    for (let id = 0; id < count; id++) {
      while (open.length && id >= open.at(-1) + tree.size[open.at(-1)]) open.pop();
      if (open.length) {
        this.parent[id] = open.at(-1);
        this.ply[id] = this.ply[open.at(-1)] + (tree.reason[id] === VERIFICATION ? 0 : 1);
      }
      open.push(id);
    }
    box.addEventListener("click", (event) => this.clicked(event));
    box.addEventListener("keydown", (event) => this.pressed(event));
    this.filter("all");
  }

  // Which visits match, and which are kept because something below them does.
  filter(kind) {
    const tree = this.tree;
    const count = tree.size.length;
    this.keep = null;
    if (kind !== "all") {
      const keep = new Uint8Array(count);
      if (kind === "spent") tree.cashed.forEach((cashed, id) => { if (cashed > 0) keep[id] = 1; });
      if (kind === "again") tree.again.forEach((again, id) => { keep[id] = again; });
      if (kind === "refutations") for (const id of tree.refutations) keep[id] = 1;
      if (kind === "parts") for (const id of tree.parts) keep[id] = 1;
      for (let id = count - 1; id >= 0; id--) if (keep[id] && this.parent[id] >= 0) keep[this.parent[id]] = 1;
      this.keep = keep;
    }
    this.items.clear();
    const roots = this.list(-1);
    this.box.replaceChildren(roots);
    // One of its rows is always reached by the keyboard.
    const top = this.box.querySelector(".row-line");
    this.box.setAttribute("role", top ? "tree" : "group");
    if (top) top.tabIndex = 0;
    else this.box.append(element("p", "muted", "Nothing of this kind in the tree."));
  }

  children(id) {
    const found = [];
    const end = id < 0 ? this.tree.size.length : id + this.tree.size[id];
    for (let child = id + 1; child < end; child += this.tree.size[child]) {
      if (!this.keep || this.keep[child]) found.push(child);
    }
    return found;
  }

  list(id) {
    const list = element("ul");
    list.setAttribute("role", id < 0 ? "none" : "group");
    const rest = this.children(id);
    const more = () => {
      for (const child of rest.splice(0, PAGE)) list.append(this.item(child));
      if (!rest.length) return;
      const item = listItem();
      const next = button(`${rest.length} more`, "", () => {
        const [first] = rest;
        const isReached = item.contains(document.activeElement);
        item.remove();
        more();
        // The keyboard goes on from where the button was.
        if (isReached) this.reach(this.row(first)).focus({ preventScroll: true });
      });
      next.setAttribute("role", "treeitem");
      item.append(next);
      list.append(item);
    };
    more();
    return list;
  }

  san(id) {
    const tree = this.tree;
    if (tree.reason[id] === ROOT) return `iteration ${tree.iteration[id]}`;
    if (tree.reason[id] === VERIFICATION) return "verification";
    const san = tree.moves[tree.move[id]][0];
    return tree.reason[id] === EVIDENCE ? `[${san}]` : san;
  }

  // The mechanism that gives a visit its colour: the one that paid there, or else that the move was made with.
  mechanism(id) {
    const tree = this.tree;
    if (tree.cashed[id] > 0) return tree.payer[id];
    return tree.award[id] ? tree.awards[tree.award[id] - 1][2] : -1;
  }

  score(id) {
    const tree = this.tree;
    if (tree.end[id] === STOPPED) return "-";
    const sign = { upper: "≤", lower: "≥" }[data.bounds[tree.bound[id]]] || "";
    return sign + tree.scores[tree.score[id]];
  }

  item(id) {
    const tree = this.tree;
    const item = listItem();
    const row = element("div", "row-line");
    row.dataset.id = id;
    row.tabIndex = -1;
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", this.ply[id] + 1);
    row.setAttribute("aria-selected", "false");
    if (tree.reason[id] > 1) row.classList.add("aside");
    const hue = this.mechanism(id);
    if (hue >= 0) row.style.setProperty("--hue", `var(--c${hue + 1})`);
    const opens = this.children(id).length > 0;
    if (opens) row.setAttribute("aria-expanded", "false");
    const bar = element("span", "bar");
    const share = element("i");
    const above = this.parent[id] < 0 ? Math.max(...this.roots().map((root) => tree.nodes[root])) : tree.nodes[this.parent[id]];
    share.style.width = `${100 * tree.nodes[id] / Math.max(above, 1)}%`;
    bar.append(share);
    row.append(
      element("span", "turn-mark", opens ? "▸" : ""),
      bar,
      element("span", "san", this.san(id)),
      element("span", "number", this.score(id)),
      element("span", "muted number", `d${tree.depth[id]}`),
    );
    if (tree.cashed[id] > 0) row.append(element("span", "tag", `+${tree.cashed[id]} ${data.mechanisms[tree.payer[id]]}`));
    else if (tree.award[id]) row.append(element("span", "tag", data.mechanisms[this.mechanism(id)]));
    if (tree.again[id]) row.append(element("span", "tag", "again"));
    if (this.parts.has(id)) row.append(element("span", "tag part", "parts here"));
    row.append(element("span", "muted number", `${tree.nodes[id].toLocaleString("en")} · ${data.ends[tree.end[id]]}`));
    item.append(row);
    this.items.set(id, item);
    return item;
  }

  roots() {
    if (!this.allRoots) {
      this.allRoots = [];
      for (let id = 0; id < this.tree.size.length; id += this.tree.size[id]) this.allRoots.push(id);
    }
    return this.allRoots;
  }

  row(id) {
    return this.items.get(id)?.firstChild;
  }

  // Opens a visit, and on through those that have a single visit below.
  open(id) {
    while (!this.isOpen(id)) {
      const below = this.children(id);
      const row = this.row(id);
      if (!below.length || !row) return;
      row.setAttribute("aria-expanded", "true");
      row.firstChild.textContent = "▾";
      this.items.get(id).append(this.list(id));
      if (below.length > 1) return;
      id = below[0];
    }
  }

  isOpen(id) {
    return this.items.get(id)?.children.length > 1;
  }

  close(id) {
    if (!this.isOpen(id)) return;
    const item = this.items.get(id);
    for (const row of item.lastChild.querySelectorAll(".row-line")) this.items.delete(Number(row.dataset.id));
    item.lastChild.remove();
    item.firstChild.setAttribute("aria-expanded", "false");
    item.firstChild.firstChild.textContent = "▸";
  }

  path(id) {
    const path = [];
    for (let at = id; at >= 0; at = this.parent[at]) path.unshift(at);
    return path;
  }

  // Shows a visit, opening all above it; the filter may hide it.
  reveal(id) {
    if (this.keep && !this.keep[id]) showAll();
    const path = this.path(id);
    path.forEach((at, index) => {
      const list = index ? this.items.get(path[index - 1]).lastChild : this.box.firstChild;
      while (!this.items.has(at) && list.querySelector(":scope > li > button")) {
        list.querySelector(":scope > li > button").click();
      }
      if (index + 1 < path.length) this.open(at);
    });
    this.choose(id);
  }

  // Makes a row the one that the keyboard reaches from outside.
  reach(row) {
    for (const reached of this.box.querySelectorAll('.row-line[tabindex="0"]')) reached.tabIndex = -1;
    row.tabIndex = 0;
    return row;
  }

  choose(id) {
    const row = this.row(id);
    if (!row) return;
    const box = this.box;
    for (const chosen of document.querySelectorAll(".row-line[aria-selected=true]")) chosen.setAttribute("aria-selected", "false");
    row.setAttribute("aria-selected", "true");
    this.reach(row);
    // The page itself stays where it is: on a phone the tree may stand above what is looked at.
    const [top, left] = [row.offsetTop, row.offsetLeft];
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
    if (left < box.scrollLeft || left > box.scrollLeft + box.clientWidth / 2) box.scrollLeft = Math.max(left - 40, 0);
    showDetail(this, id);
  }

  clicked(event) {
    const row = event.target.closest(".row-line");
    if (!row) return;
    const id = Number(row.dataset.id);
    if (this.isOpen(id)) this.close(id); else this.open(id);
    this.choose(id);
    row.focus({ preventScroll: true });
  }

  pressed(event) {
    const row = event.target.closest(".row-line");
    if (!row) return;
    const id = Number(row.dataset.id);
    const rows = [...this.box.querySelectorAll(".row-line")];
    const step = (by) => rows[rows.indexOf(row) + by];
    let next = null;
    if (event.key === "ArrowDown") next = step(1);
    else if (event.key === "ArrowUp") next = step(-1);
    else if (event.key === "ArrowRight") { if (this.isOpen(id)) next = step(1); else this.open(id); }
    else if (event.key === "ArrowLeft") { if (this.isOpen(id)) this.close(id); else next = this.row(this.parent[id]); }
    else return;
    event.preventDefault();
    if (!next) return;
    this.choose(Number(next.dataset.id));
    next.focus({ preventScroll: true });
  }

  // The pieces on the board after the moves to a visit.
  board(id) {
    const squares = [...this.tree.board];
    for (const at of this.path(id)) changed(squares, this.tree.moves[this.tree.move[at]][1]);
    return squares;
  }

  // What that board is called, like all others: the pieces and the side to move as FEN has them.
  label(id, board) {
    const squares = board.join("");
    const rank = (number) => squares.slice(8 * number, 8 * number + 8).replace(/\.+/g, (empty) => empty.length);
    return `The position: ${[7, 6, 5, 4, 3, 2, 1, 0].map(rank).join("/")} ${this.whiteToMove(id) ? "w" : "b"}`;
  }

  whiteToMove(id) {
    return this.tree.white === (this.ply[id] % 2 === 0);
  }
}

// What the move to a visit did to both accounts, White's entries left and Black's right.
function accounts(view, id) {
  const tree = view.tree;
  const [mine, his, paid] = [tree.mine[id], tree.his[id], tree.cashed[id] * data.per_ply];
  const award = tree.award[id] ? tree.awards[tree.award[id] - 1] : null;
  const earned = award ? award[3] : 0;
  const moverIsWhite = !view.whiteToMove(id);
  const row = (name, mover, other) => [name, ...(moverIsWhite ? [mover, other] : [other, mover])];
  const given = Math.min(mine, paid);
  return table(["plies", "White", "Black"], [
    row("before", plies(his - earned), plies(mine)),
    row(award ? `${data.mechanisms[award[2]]}${award[4] ? " (kept)" : ""}` : "earned", earned ? `+${plies(earned)}` : "", ""),
    row("cashed in, given up", paid ? `-${plies(paid)}` : "", given ? `-${plies(given)}` : ""),
    row("balance", plies(his - paid), plies(mine - given)),
  ]);
}

function crumbs(view, id) {
  const made = element("nav", "crumbs");
  made.setAttribute("aria-label", "Line");
  for (const at of view.path(id)) {
    const ply = view.ply[at] - 1 + (view.tree.white ? 0 : 1);
    const number = view.tree.fullmove + Math.floor(ply / 2);
    const isMove = view.parent[at] >= 0 && view.tree.reason[at] !== VERIFICATION;
    const dots = ply % 2 === 0 ? "." : view.ply[at] === 1 ? "..." : "";
    const crumb = button((isMove && dots ? number + dots : "") + view.san(at), "", () => {
      view.reveal(at);
      // The line is made anew; the keyboard goes on in the tree.
      view.row(at)?.focus({ preventScroll: true });
    });
    if (at === id) crumb.setAttribute("aria-current", "true");
    made.append(crumb);
  }
  return made;
}

function earnedHere(view, id) {
  const list = element("ul");
  for (const [node, san, mechanism, credit, kept, finding, second] of view.tree.awards) {
    if (node !== id) continue;
    let text = `${san}: ${data.mechanisms[mechanism]} ${plies(credit)}${kept ? " (kept)" : ""}`;
    if (finding !== null) text += `; ${finding}`;
    if (second !== "none") text += `; searched again, ${second}`;
    list.append(element("li", "", text));
  }
  return list;
}

function showDetail(view, id) {
  const tree = view.tree;
  const [asked, depth] = [tree.asked[id], tree.depth[id]];
  // If nothing was cashed in, only growth control changes it.
  const how = tree.cashed[id] > 0 ? "after cash-in" : "cut by growth control to";
  const marks = new Set(tree.moves[tree.move[id]][1].map(([square]) => square));
  const detail = document.getElementById("detail");
  // Below the tree chosen where the screen is narrow; on a wide one the style says where.
  const pane = view.box.closest(".card");
  if (views.length > 1 && pane.nextElementSibling !== detail) pane.after(detail);
  const board = view.board(id);
  detail.replaceChildren(
    crumbs(view, id),
    drawBoard(board, { marks, label: view.label(id, board) }),
    accounts(view, id),
    table(null, [
      ["to move", view.whiteToMove(id) ? "White" : "Black"],
      ["reason", data.reasons[tree.reason[id]] + (tree.again[id] ? ", second search" : "")],
      ["depth", asked === depth ? `${depth}` : `${asked}, ${how} ${depth}`],
      ["window", `${tree.scores[tree.alpha[id]]} to ${tree.scores[tree.beta[id]]}`],
      ["score", `${view.score(id)}${tree.end[id] === STOPPED ? "" : ` (${data.bounds[tree.bound[id]]})`}`],
      ["ended by", data.ends[tree.end[id]]],
      ["nodes", tree.nodes[id].toLocaleString("en")],
      ["visits", tree.size[id].toLocaleString("en")],
    ]),
  );
  const earned = earnedHere(view, id);
  if (earned.children.length) detail.append(element("h3", "", "Earned here"), earned);
}

// Shows the trees without a filter.
function showAll() {
  document.querySelector("input[value=all]").checked = true;
  views.forEach((view) => view.filter("all"));
}

const views = [...document.querySelectorAll(".tree")].map((box) => new TreeView(data.trees[box.dataset.tree], box));
for (const input of document.querySelectorAll("input[name=filter]")) {
  input.addEventListener("change", () => views.forEach((view) => view.filter(input.value)));
}
const first = document.getElementById("first");
if (first) {
  first.disabled = data.first === null;
  first.addEventListener("click", () => {
    showAll();
    [...views].reverse().forEach((view) => view.reveal(data.first));
  });
}
// To begin with, the last window of an iteration that was searched to its end.
const [view] = views;
const start = view.roots().findLast((root) => view.tree.end[root] !== STOPPED);
if (start !== undefined) {
  view.open(start);
  view.choose(start);
}
