// Searching and ordering the rows of a list.

// Shows the rows that have every word of the search, and then tells.
function searchable(search, rows, tell = () => {}) {
  const texts = rows.map((row) => row.textContent.toLowerCase());
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    rows.forEach((row, index) => { row.hidden = !words.every((word) => texts[index].includes(word)); });
    tell();
  });
}

// The order of two names, numbers in them by their value.
function compareNames(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}
