// Moving the pieces: a click on a piece and one on its square, or by dragging. `legalMoves` gives the legal moves;
// `play` gets those from one square to another, several if a pawn promotes.
function makeDrag({ board, legalMoves, isFlipped, redraw, play }) {
  const drag = { from: null };
  let dragged = null;
  let wasChosen = false;
  // Of the last pointer that came down; not every browser says it of a click.
  let isTouch = false;

  const svg = () => board.querySelector("svg");
  const pointAt = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg().getScreenCTM().inverse());
  const corner = (square) => {
    const [file, rank] = [square % 8, Math.floor(square / 8)];
    return isFlipped() ? [(7 - file) * SQUARE, rank * SQUARE] : [file * SQUARE, (7 - rank) * SQUARE];
  };
  const squareAt = (event) => {
    const point = pointAt(event);
    const [x, y] = [Math.floor(point.x / SQUARE), Math.floor(point.y / SQUARE)];
    if (Math.min(x, y) < 0 || Math.max(x, y) > 7) return null;
    return isFlipped() ? 7 - x + 8 * y : x + 8 * (7 - y);
  };
  const movesTo = (square) => legalMoves().filter((move) => move.from === drag.from && move.to === square);
  const choose = (square) => {
    drag.from = square;
    redraw();
  };
  const dropOn = (square) => {
    const moves = movesTo(square);
    choose(null);
    if (moves.length) play(moves);
  };
  // Plays the chosen piece to a square, or chooses the one on it; whether one is chosen then.
  const press = (square) => {
    if (movesTo(square).length) {
      dropOn(square);
      return false;
    }
    wasChosen = drag.from === square;
    choose(legalMoves().some((move) => move.from === square) ? square : null);
    return drag.from !== null;
  };
  const follow = (event) => {
    const point = pointAt(event);
    dragged.setAttribute("x", point.x - SQUARE / 2);
    dragged.setAttribute("y", point.y - SQUARE / 2);
  };
  const startDrag = (event) => {
    const [x, y] = corner(drag.from).map(String);
    const piece = [...svg().querySelectorAll("use")].find(
      (other) => other.getAttribute("x") === x && other.getAttribute("y") === y,
    );
    if (!piece) return;
    dragged = piece.cloneNode();
    piece.classList.add("dragged");
    svg().append(dragged);
    follow(event);
  };

  // The chosen piece, and where it may go.
  drag.mark = () => {
    if (drag.from === null) return;
    const [x, y] = corner(drag.from);
    svg().append(shape("rect", { class: "chosen", x, y, width: SQUARE, height: SQUARE }));
    for (const to of new Set(legalMoves().filter((move) => move.from === drag.from).map((move) => move.to))) {
      const [left, top] = corner(to);
      svg().append(shape("circle", { class: "target", cx: left + SQUARE / 2, cy: top + SQUARE / 2, r: SQUARE / 6 }));
    }
  };
  board.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
    const square = squareAt(event);
    if (isTouch || event.button !== 0 || square === null || !press(square)) return;
    event.preventDefault();
    startDrag(event);
  });
  // On a touch screen a moving finger scrolls: only one that has not moved makes a click.
  board.addEventListener("click", (event) => {
    const square = squareAt(event);
    if (isTouch && square !== null && press(square) && wasChosen) choose(null);
  });
  document.addEventListener("pointermove", (event) => {
    if (dragged) follow(event);
  });
  document.addEventListener("pointerup", (event) => {
    if (!dragged) return;
    dragged = null;
    const square = squareAt(event);
    if (square !== drag.from) dropOn(square);
    else choose(wasChosen ? null : square);
  });
  // The system takes the pointer away, as with a pen.
  document.addEventListener("pointercancel", () => {
    if (!dragged) return;
    dragged = null;
    choose(null);
  });
  return drag;
}
