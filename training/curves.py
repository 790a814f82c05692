"""Loss curves as a small SVG picture, without a plotting library."""

from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 80, 20, 40, 50
TICKS = 5
COLOURS = ("#1f5fa8", "#c0392b")


def loss_curves(title: str, series: dict[str, list[float]]) -> str:
    """One line per series, one point per epoch, counted from 1. At most two series, of equal length."""
    values = [value for line in series.values() for value in line]
    epochs = max(len(line) for line in series.values())
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def x(epoch: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (epoch - 1) / max(1, epochs - 1)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / span

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">epoch</text>',
    ]
    for tick in range(TICKS):
        value = low + span * tick / (TICKS - 1)
        parts.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.6f}</text>')
    every = max(1, epochs // 10)
    for epoch in range(1, epochs + 1, every):
        parts.append(f'<text x="{x(epoch):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{epoch}</text>')
    for (name, line), colour, row in zip(series.items(), COLOURS, range(len(series)), strict=False):
        points = " ".join(f"{x(epoch):.1f},{y(value):.1f}" for epoch, value in enumerate(line, 1))
        if len(line) == 1:  # a line of one point would not be seen
            parts.append(f'<circle cx="{x(1):.1f}" cy="{y(line[0]):.1f}" r="3" fill="{colour}"/>')
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        place = f'x="{WIDTH - RIGHT}" y="{TOP + 14 + 16 * row}"'
        parts.append(f'<text {place} text-anchor="end" fill="{colour}">{escape(name)}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)
