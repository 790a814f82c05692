const { start } = data.lines[0];
check("the position", one("#fen").value === start.fen);
check("all pieces", all("#board use").length === start.board.replaceAll(".", "").length);
check("nowhere to go", ["#first", "#back", "#forward", "#last"].every((id) => one(id).disabled));
check("no ledger", all("#ledger table").length === 0);
