// The two columns: each has its settings, its search, and what that has found so far.
const PAGE = crypto.getRandomValues(new Uint32Array(1))[0];
const ACCESS_KEY = new URLSearchParams(location.search).get("key");
const NO_SERVER = "The server does not answer. It may have ended.";

// Sends a request; an error says what is wrong.
async function post(path, body, signal) {
  const headers = { "Content-Type": "application/json", "X-Pacioli-Key": ACCESS_KEY };
  const request = { method: "POST", headers, body: JSON.stringify(body), signal };
  const answer = await fetch(path, request).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(NO_SERVER);
  });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer;
}

// The lines of an answer, as they come.
async function* linesOf(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

// Fills a box anew. A button in it that had the focus leaves it to the one of the same name.
function refill(box, children) {
  const name = (made) => made.getAttribute("aria-label") ?? made.textContent;
  const focused = box.contains(document.activeElement) ? name(document.activeElement) : null;
  box.replaceChildren(...children);
  if (focused === null) return;
  [...box.querySelectorAll("button")].find((made) => name(made) === focused)?.focus({ preventScroll: true });
}

// Draws a chart anew; where it was scrolled to, and whether it had the focus, stay.
function redraw(box, chart) {
  const left = box.firstElementChild?.scrollLeft ?? 0;
  const hadFocus = box.contains(document.activeElement);
  box.innerHTML = chart ?? "";
  const scroller = box.firstElementChild;
  if (!scroller) return;
  scroller.scrollLeft = left;
  if (hadFocus) scroller.focus({ preventScroll: true });
}

class Column {
  // `gamePath` gives the position to search; `show` puts a ply of this column's line on the board, or the game again,
  // and `shown` says which ply of it is there.
  constructor(box, { gamePath, show, shown, backToGame }) {
    Object.assign(this, { box, gamePath, show, shown, backToGame, index: Number(box.dataset.column) });
    this.form = this.find("form");
    const { profile, credit, sixteenths, unit } = this.form.elements;
    profile.addEventListener("change", () => this.applyProfile());
    credit.addEventListener("change", () => this.drawSettings());
    sixteenths.addEventListener("input", () => this.drawSettings());
    unit.addEventListener("change", () => this.applyUnit());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.search();
    });
    this.find(".stop").addEventListener("click", () => this.stop());
    this.reset();
    this.applyProfile();
    this.applyUnit();
  }

  find(selector) {
    return this.box.querySelector(selector);
  }

  // A search is wanted until it ends or is stopped, also where it cannot run.
  reset() {
    Object.assign(this, { found: [], pinned: null, held: null, creditLimit: null, running: null, isWanted: false });
  }

  // The iteration that is shown: the one whose line is on the board, the one that was picked, or else the latest.
  get iteration() {
    return this.held ?? this.pinned ?? this.found.at(-1);
  }

  applyProfile() {
    const { profile, credit, sixteenths } = this.form.elements;
    const known = data.profiles.find(({ name }) => name === profile.value);
    credit.checked = known.credit;
    sixteenths.value = known.credit_limit;
    this.drawSettings();
  }

  applyUnit() {
    const { amount, unit } = this.form.elements;
    amount.value = data[unit.value];
    amount.max = amount.dataset[unit.value];
    amount.step = unit.value === "seconds" ? "any" : 1;
  }

  drawSettings() {
    const { credit, sixteenths, creditLimit } = this.form.elements;
    const plies = Number(sixteenths.value) / data.parts;
    sixteenths.disabled = !credit.checked;
    creditLimit.value = credit.checked ? `${shownPlies(plies)} plies` : "no accounts";
    sixteenths.setAttribute("aria-valuetext", creditLimit.value);
  }

  async search() {
    this.stop();
    // The game's position is searched, whichever column's line is on the board.
    this.backToGame();
    this.reset();
    const running = new AbortController();
    Object.assign(this, { running, isWanted: true });
    this.path = JSON.stringify(this.gamePath());
    this.find(".elsewhere").hidden = true;
    this.find(".settings-used").textContent = "";
    this.showStatus("", "");
    this.draw();
    const { profile, credit, sixteenths, amount, unit } = this.form.elements;
    const settings = { profile: profile.value, credit: credit.checked, credit_limit: Number(sixteenths.value) };
    const budget = { [unit.value]: Number(amount.value) };
    try {
      const request = { page: PAGE, column: this.index, game: this.gamePath(), ...settings, budget };
      for await (const event of linesOf(await post("/search", request, running.signal))) {
        if (this.running !== running) return;
        this.handleEvent(event);
      }
      // A connection that ends before the search does is that of a server which was killed.
      if (this.isWanted) throw new Error(NO_SERVER);
    } catch (error) {
      // A connection that breaks is a type error.
      const message = error instanceof TypeError ? NO_SERVER : error.message;
      if (this.running === running && error.name !== "AbortError") this.showStatus("", message);
    }
    if (this.running !== running) return;
    this.running = null;
    this.drawButtons();
  }

  stop() {
    if (!this.running) return;
    this.running.abort();
    Object.assign(this, { running: null, isWanted: false });
    this.showStatus("stopped", "");
    this.drawButtons();
  }

  // The game is at another position: a search that is still wanted starts again, also after a mate, where there was
  // nothing to search; a finished one is of the position that it was.
  positionChanged() {
    if (this.isWanted) this.search();
    else this.find(".elsewhere").hidden = !this.found.length || this.path === JSON.stringify(this.gamePath());
  }

  // A ply of a line was put on the board, or the game again.
  lineShown() {
    if (this.shown(this) !== null || !this.held) return this.drawLine();
    this.held = null;
    this.draw();
  }

  handleEvent({ begin, now, iteration, end }) {
    if (begin) {
      Object.assign(this, { creditLimit: begin.credit_limit, nominal: begin.nominal });
      this.find(".settings-used").textContent = begin.heading;
    } else if (iteration) {
      this.found.push(iteration);
      this.draw();
    } else if (now) {
      this.showStatus(now, "", "off");
    } else {
      this.isWanted = false;
      this.showStatus(this.found.length ? end : `${end}, before the first iteration was complete`, "");
    }
  }

  // What is read aloud is how a search ended, not each of its moves.
  showStatus(status, error, live = "polite") {
    this.find(".progress").setAttribute("aria-live", live);
    this.find(".progress").textContent = status;
    this.find(".wrong").textContent = error;
  }

  pin(iteration) {
    this.pinned = iteration === this.found.at(-1) ? null : iteration;
    const ply = this.shown(this);
    if (ply !== null) this.held = iteration;
    this.draw();
    if (ply !== null) this.show({ column: this, ply: Math.min(ply, iteration.line.moves.length) });
  }

  drawButtons() {
    this.find(".stop").disabled = !this.running;
    this.box.classList.toggle("running", Boolean(this.running));
  }

  draw() {
    this.drawButtons();
    this.box.classList.add("used");
    refill(this.find(".iterations"), this.found.length ? [this.iterations()] : []);
    const [curves, shares] = this.found.at(-1)?.charts ?? [];
    redraw(this.find(".curves"), curves);
    redraw(this.find(".shares"), shares);
    this.find(".summary").textContent = this.iteration?.line.heading ?? "";
    const go = (ply) => {
      // The line on the board stays when the next iteration comes.
      this.held = this.iteration;
      this.show({ column: this, ply });
    };
    refill(this.find(".ledger"), this.iteration ? [ledger(this.iteration.line, go)] : []);
    this.drawLine();
  }

  // What depends on the ply that is shown.
  drawLine() {
    const ply = this.shown(this);
    for (const body of this.box.querySelectorAll("tbody[data-ply]")) {
      const current = Number(body.dataset.ply) === ply;
      body.classList.toggle("current", current);
      body.querySelector("button").setAttribute("aria-current", current);
    }
    const line = this.iteration?.line;
    const scale = accountScale(this.found.map((iteration) => iteration.line), this.creditLimit);
    if (line) drawAccounts(this.find(".balances"), line.moves, ply ?? line.moves.length, this.creditLimit, scale);
    else this.find(".balances").replaceChildren();
  }

  // The iterations, the latest first.
  iterations() {
    const made = element("table");
    const head = made.createTHead().insertRow();
    const numbers = ["iteration", this.nominal, "software", "score", "total nodes"];
    head.append(...numbers.map((name) => element("th", "right", name)), element("th", "", "line"));
    const body = made.createTBody();
    for (const iteration of this.found.toReversed()) {
      const row = body.insertRow();
      const { nominal, software, score, nodes, moves } = iteration;
      const pick = element("td", "right");
      pick.append(button(iteration.iteration, `iteration ${iteration.iteration}`, () => this.pin(iteration)));
      row.append(pick, ...[nominal, software, score, nodes].map((text) => element("td", "right", text)));
      row.append(element("td", "", moves));
      row.setAttribute("aria-current", iteration === this.iteration);
      row.addEventListener("click", () => this.pin(iteration));
    }
    return made;
  }
}
