"use strict";
// Searches and sorts the rows of the list that follows the controls.
for (const controls of document.querySelectorAll(".sift")) {
  const list = controls.nextElementSibling;
  const rows = [...list.querySelectorAll("details")];
  const [search, sort] = [controls.querySelector("input[type=search]"), controls.querySelector("select")];
  const count = controls.querySelector("output");
  // The style hides rows, too.
  const shown = () => rows.filter((row) => row.checkVisibility()).length;
  const tell = () => {
    count.textContent = search.value.trim() ? `${shown()} of ${rows.length}` : "";
  };
  searchable(search, rows, tell);
  document.getElementById("only-unsolved")?.addEventListener("change", tell);
  const name = (row) => row.querySelector(".name").textContent;
  const nodes = (row) => Number(row.dataset.nodes || Infinity);
  const by = (a, b) => Math.sign(a - b) || 0;
  const orders = {
    given: (a, b) => rows.indexOf(a) - rows.indexOf(b),
    name: (a, b) => compareNames(name(a), name(b)),
    fewest: (a, b) => by(nodes(a), nodes(b)),
    most: (a, b) => by(nodes(b), nodes(a)),
  };
  sort?.addEventListener("change", () => list.append(...[...rows].sort(orders[sort.value])));
}
