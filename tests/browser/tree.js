const rows = () => all(".row-line");
const before = rows().length;
rows()[0].click();
check("a row opens or closes", rows().length !== before);
check("a board", all("#detail .board use").length > 0);
press("ArrowDown", rows()[0]);
check("the next row", rows()[1].getAttribute("aria-selected") === "true");
