"use strict";
// Searches and sorts the rows of the list that follows the controls.
for (const controls of document.querySelectorAll(".sift")) {
  const list = controls.nextElementSibling;
  const rows = [...list.querySelectorAll("details")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const [search, sort] = [controls.querySelector("input[type=search]"), controls.querySelector("select")];
  const count = controls.querySelector("output");
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    rows.forEach((row, index) => { row.hidden = !words.every((word) => texts[index].includes(word)); });
    count.textContent = search.value.trim() ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  });
  const name = (row) => row.querySelector(".name").textContent;
  const nodes = (row) => Number(row.dataset.nodes || Infinity);
  const by = (a, b) => Math.sign(a - b) || 0;
  const orders = {
    given: (a, b) => rows.indexOf(a) - rows.indexOf(b),
    name: (a, b) => name(a).localeCompare(name(b), "en", { numeric: true }),
    fewest: (a, b) => by(nodes(a), nodes(b)),
    most: (a, b) => by(nodes(b), nodes(a)),
  };
  sort?.addEventListener("change", () => list.append(...[...rows].sort(orders[sort.value])));
}
