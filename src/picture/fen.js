// The field with the FEN of the position that is shown, its copy button, and the link to a site for analysis.
const COPIED_MS = 1500;

function showFen(fen, chess960) {
  document.getElementById("fen").value = fen;
  const link = document.getElementById("elsewhere");
  link.href = link.dataset[chess960 ? "chess960" : "standard"] + fen.replaceAll(" ", "_");
}

function driveFen() {
  const copy = document.getElementById("copy");
  copy.addEventListener("click", async () => {
    const field = document.getElementById("fen");
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    copy.textContent = "copied";
    setTimeout(() => { copy.textContent = "copy"; }, COPIED_MS);
  });
}
