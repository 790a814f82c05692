// The two columns: each has its settings, its search, and what that has found so far.
const PAGE = crypto.getRandomValues(new Uint32Array(1))[0];
const ACCESS_KEY = new URLSearchParams(location.search).get("key");
const GONE = "The server does not answer. It may have ended.";

// The server's answer; an error says what is wrong.
async function ask(path, body, signal) {
  const headers = { "Content-Type": "application/json", "X-Pacioli-Key": ACCESS_KEY };
  const request = { method: "POST", headers, body: JSON.stringify(body), signal };
  const answer = await fetch(path, request).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(GONE);
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

// Left of the last one they are numbers.
const HEADS = ["iteration", "nominal", "software", "score", "nodes", "line"];

class Column {
  // `place` gives the place to search; `show` puts a ply of this column's line on the board, or the game again, and
  // `shown` says which ply of it is there.
  constructor(box, { place, show, shown }) {
    Object.assign(this, { box, place, show, shown, index: Number(box.dataset.column) });
    this.form = this.find("form");
    const { profile, credit, sixteenths, unit } = this.form.elements;
    profile.addEventListener("change", () => this.takeProfile());
    credit.addEventListener("change", () => this.drawSettings());
    sixteenths.addEventListener("input", () => this.drawSettings());
    unit.addEventListener("change", () => this.takeUnit());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.search();
    });
    this.find(".stop").addEventListener("click", () => this.stop());
    this.forget();
    this.takeProfile();
    this.takeUnit();
  }

  find(selector) {
    return this.box.querySelector(selector);
  }

  forget() {
    Object.assign(this, { found: [], pinned: null, limit: null, running: null });
  }

  // The iteration that is shown: the one that was picked, or else the latest.
  get iteration() {
    return this.pinned ?? this.found.at(-1);
  }

  takeProfile() {
    const { profile, credit, sixteenths } = this.form.elements;
    const known = data.profiles.find(({ name }) => name === profile.value);
    credit.checked = known.credit;
    sixteenths.value = known.limit;
    this.drawSettings();
  }

  takeUnit() {
    const { amount, unit } = this.form.elements;
    amount.value = data[unit.value];
    amount.max = amount.dataset[unit.value];
    amount.step = unit.value === "seconds" ? "any" : 1;
  }

  drawSettings() {
    const { credit, sixteenths, limit } = this.form.elements;
    const plies = Number(sixteenths.value) / data.parts;
    sixteenths.disabled = !credit.checked;
    limit.value = credit.checked ? `${plies.toFixed(2)} plies` : "no accounts";
    sixteenths.setAttribute("aria-valuetext", limit.value);
  }

  async search() {
    this.stop();
    if (this.shown(this) !== null) this.show(null);
    this.forget();
    const running = new AbortController();
    this.running = running;
    this.say("", "");
    this.draw();
    const { profile, credit, sixteenths, amount, unit } = this.form.elements;
    const settings = { profile: profile.value, credit: credit.checked, limit: Number(sixteenths.value) };
    const budget = { [unit.value]: Number(amount.value) };
    try {
      const wish = { page: PAGE, column: this.index, place: this.place(), ...settings, budget };
      for await (const event of linesOf(await ask("/search", wish, running.signal))) {
        if (this.running !== running) return;
        this.hear(event);
      }
    } catch (error) {
      // A connection that breaks is a type error.
      const wrong = error instanceof TypeError ? GONE : error.message;
      if (this.running === running && error.name !== "AbortError") this.say("", wrong);
    }
    if (this.running !== running) return;
    this.running = null;
    this.drawButtons();
  }

  stop() {
    if (!this.running) return;
    this.running.abort();
    this.running = null;
    this.say("stopped", "");
    this.drawButtons();
  }

  hear({ begin, now, iteration, end }) {
    if (begin) {
      this.limit = begin.limit;
      this.find(".settings-used").textContent = begin.heading;
    } else if (iteration) {
      this.found.push(iteration);
      this.draw();
    } else {
      this.say(now ?? `${this.found.length ? "finished" : "ended before the first iteration was complete"}: ${end}`, "");
    }
  }

  say(state, wrong) {
    this.find(".progress").textContent = state;
    this.find(".wrong").textContent = wrong;
  }

  pin(iteration) {
    this.pinned = iteration === this.found.at(-1) ? null : iteration;
    this.draw();
    const ply = this.shown(this);
    if (ply !== null) this.show({ column: this, ply: Math.min(ply, iteration.line.moves.length) });
  }

  drawButtons() {
    this.find(".stop").disabled = !this.running;
    this.box.classList.toggle("running", Boolean(this.running));
  }

  draw() {
    this.drawButtons();
    this.find(".iterations").replaceChildren(...(this.found.length ? [this.iterations()] : []));
    const [curves, shares] = this.found.at(-1)?.charts ?? [];
    this.find(".curves").innerHTML = curves ?? "";
    this.find(".shares").innerHTML = shares ?? "";
    this.find(".summary").textContent = this.iteration?.line.heading ?? "";
    const go = (ply) => {
      // The line on the board stays when the next iteration comes.
      this.pinned = this.iteration;
      this.show({ column: this, ply });
    };
    this.find(".book").replaceChildren(...(this.iteration ? [ledger(this.iteration.line, go)] : []));
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
    const scale = accountScale(this.found.map((iteration) => iteration.line), this.limit);
    if (line) drawAccounts(this.find(".balances"), line.moves, ply ?? line.moves.length, this.limit, scale);
    else this.find(".balances").replaceChildren();
  }

  // The iterations, the latest first.
  iterations() {
    const made = element("table");
    const head = made.createTHead().insertRow();
    HEADS.forEach((name, index) => head.append(element("th", index < HEADS.length - 1 ? "right" : "", name)));
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
