const box = one(".over-game");
check("no curve without moves", data.lines[0].moves.length === 0 && box.hidden && !one("#curve .area"));
const list = one("#choice select");
list.value = 1;
list.dispatchEvent(new Event("change"));
check("a curve of one move", !box.hidden && one("#curve .area") !== null);
const width = (name) => one(`#curve .${name}`).getBBox().width;
check("all of it from edge to edge", ["area", "classical", "network"].every((name) => width(name) === 100));
