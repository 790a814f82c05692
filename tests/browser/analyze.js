const fen = () => one("#fen").value;
const { moves } = data.lines[0];
const mark = moves.findLastIndex((move) => move.judged.mark);
all("#curve button").at(-1).click();
check("the mistake", fen() === moves[mark].fen && one("#caption").textContent.includes(moves[mark].judged.mark));
const better = data.better[moves[mark].judged.better];
all("#ledger tbody button")[0].click();
check("the better line", fen() === better.moves[0].fen);
press("ArrowRight");
check("on in it", fen() === better.moves[1].fen);
press("Home");
check("back in the game", fen() === moves[mark].fen);
const sound = moves.findIndex((move) => !move.judged.mark);
all("#moves button")[sound].click();
check("the score sheet", fen() === moves[sound].fen && all("#ledger table").length === 0);
const theory = moves.filter((move) => move.judged.theory).length;
check("theory is called so", theory > 0 && all("#moves .theory[title='opening theory']").length === theory);
const box = one("#curve").getBoundingClientRect();
one("#curve").dispatchEvent(new MouseEvent("click", { clientX: box.right - 1, bubbles: true }));
check("a click on the curve", fen() === moves.at(-1).fen);
const sheet = one("#moves");
sheet.style.maxHeight = "2em";
for (const index of [moves.length - 1, 0]) {
  all("#moves button")[index].click();
  const [outer, inner] = [sheet, all("#moves button")[index]].map((box) => box.getBoundingClientRect());
  check(`the score sheet scrolls to move ${index}`, inner.top > outer.top - 1 && inner.bottom < outer.bottom + 1);
}
