// Moving the pieces: a click on a piece and one on its square, or by dragging. What may be moved where is asked of
// `choices`, the legal moves; `play` gets those from one square to another, several if a pawn promotes.
function makeHand({ board, choices, isFlipped, redraw, play }) {
  const hand = { from: null };
  let ghost = null;
  let wasChosen = false;

  const svg = () => board.querySelector("svg");
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg().getScreenCTM().inverse());
  const corner = (square) => {
    const [file, rank] = [square % 8, Math.floor(square / 8)];
    return isFlipped() ? [(7 - file) * SQUARE, rank * SQUARE] : [file * SQUARE, (7 - rank) * SQUARE];
  };
  const squareAt = (event) => {
    const place = at(event);
    const [x, y] = [Math.floor(place.x / SQUARE), Math.floor(place.y / SQUARE)];
    if (Math.min(x, y) < 0 || Math.max(x, y) > 7) return null;
    return isFlipped() ? 7 - x + 8 * y : x + 8 * (7 - y);
  };
  const movesTo = (square) => choices().filter((choice) => choice.from === hand.from && choice.to === square);
  const choose = (square) => {
    hand.from = square;
    redraw();
  };
  const put = (square) => {
    const moves = movesTo(square);
    choose(null);
    if (moves.length) play(moves);
  };
  const carry = (event) => {
    const place = at(event);
    ghost.setAttribute("x", place.x - SQUARE / 2);
    ghost.setAttribute("y", place.y - SQUARE / 2);
  };
  const lift = (event) => {
    const [x, y] = corner(hand.from).map(String);
    const piece = [...svg().querySelectorAll("use")].find(
      (other) => other.getAttribute("x") === x && other.getAttribute("y") === y,
    );
    if (!piece) return;
    ghost = piece.cloneNode();
    piece.classList.add("lifted");
    svg().append(ghost);
    carry(event);
  };

  // The chosen piece, and where it may go.
  hand.mark = () => {
    if (hand.from === null) return;
    const [x, y] = corner(hand.from);
    svg().append(shape("rect", { class: "chosen", x, y, width: SQUARE, height: SQUARE }));
    for (const to of new Set(choices().filter((choice) => choice.from === hand.from).map((choice) => choice.to))) {
      const [left, top] = corner(to);
      svg().append(shape("circle", { class: "target", cx: left + SQUARE / 2, cy: top + SQUARE / 2, r: SQUARE / 6 }));
    }
  };
  board.addEventListener("pointerdown", (event) => {
    const square = squareAt(event);
    if (event.button !== 0 || square === null) return;
    if (hand.from !== null && movesTo(square).length) return put(square);
    wasChosen = hand.from === square;
    choose(choices().some((choice) => choice.from === square) ? square : null);
    // On a touch screen a moving finger scrolls.
    if (hand.from === null || event.pointerType === "touch") return;
    event.preventDefault();
    lift(event);
  });
  document.addEventListener("pointermove", (event) => {
    if (ghost) carry(event);
  });
  document.addEventListener("pointerup", (event) => {
    if (!ghost) return;
    ghost = null;
    const square = squareAt(event);
    if (square !== hand.from) put(square);
    else choose(wasChosen ? null : square);
  });
  return hand;
}
