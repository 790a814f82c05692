//! Tables in a text that has been written: narrowed to a terminal, and their cells found again.
//!
//! Tables are made without regard to where they are shown, since files and pipes should have all of them. A terminal
//! that is too narrow shows the cells of some columns in several lines or without their middle, and if that does not
//! suffice, fewer columns: those that the tables' [`TableStyle`] names are left out, in that order, until the table
//! fits; what is left out is said below it. Other lines that are too long are broken too.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::wrap::{longest_word, wrapped};

/// How a module's tables are shown on a terminal; the module that makes the tables has it.
#[derive(Copy, Clone, Debug)]
pub struct TableStyle {
    /// The columns that a narrow terminal does without, by their headers, the first to be left out first. The column
    /// without a header has remarks.
    pub first_to_go: &'static [&'static str],
    /// The columns of words, by their headers: their cells may take several lines before any column is left out.
    pub folded: &'static [&'static str],
    /// The columns of names, by their headers: in tables without bars, long ones lose their middle before any column is
    /// left out.
    pub cut: &'static [&'static str],
    /// Paragraphs around the tables, broken at 120 columns; a narrower terminal breaks them at its own instead.
    pub legends: &'static [&'static str],
    /// What a cell in the column with this header says was right or wrong; `None` for any other cell.
    pub verdict: fn(header: &str, cell: &str) -> Option<bool>,
}

impl TableStyle {
    /// Text without tables.
    pub const PROSE: TableStyle = TableStyle::without_verdicts(&[]);

    /// Tables without verdicts.
    pub const fn without_verdicts(first_to_go: &'static [&'static str]) -> TableStyle {
        TableStyle { first_to_go, folded: &[], cut: &[], legends: &[], verdict: |_, _| None }
    }

    /// Panics if a column to be left out is in none of the tables, which have these headers.
    #[cfg(test)]
    pub fn check(&self, headers: &[&str]) {
        for name in self.first_to_go.iter().chain(self.folded).chain(self.cut) {
            assert!(headers.contains(name), "{name}");
        }
    }
}

/// The characters of a cell in Markdown besides its contents: a bar and two blanks.
const CELL_MARGIN: usize = 3;
/// The least width of a column of names that are cut.
const LEAST_NAMES: usize = 24;
/// The width at which texts are broken that are written for files and pipes, too.
const PAGE_WIDTH: usize = 120;
/// Stands for what is cut.
const GAP: &str = "...";

/// A table in a text: its lines, the header first and a rule second, and its columns as ranges of places on the screen:
/// a wide character takes two, and a mark on another character none.
struct Grid<'a> {
    lines: Vec<&'a str>,
    columns: Vec<Range<usize>>,
}

/// A part of a text: a paragraph, or a table.
enum Part<'a> {
    Lines(Vec<&'a str>),
    Table(Grid<'a>),
}

/// Cuts a text into tables and paragraphs, with the empty lines behind them.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        if is_rule(lines.get(at + 1).copied().unwrap_or_default()) && !lines[at].trim().is_empty() {
            let end = lines[at..].iter().position(|line| line.trim().is_empty()).map_or(lines.len(), |rows| at + rows);
            parts.push(Part::Table(Grid::new(lines[at..end].to_vec())));
            at = end;
        } else {
            match parts.last_mut() {
                Some(Part::Lines(paragraph)) if !paragraph.ends_with(&[""]) => paragraph.push(lines[at]),
                _ => parts.push(Part::Lines(vec![lines[at]])),
            }
            at += 1;
        }
    }
    parts
}

/// Whether a line separates a header from its rows.
fn is_rule(line: &str) -> bool {
    line.contains("---") && line.chars().all(|c| matches!(c, '-' | '|' | ':' | ' '))
}

/// What a line has in some places; it may be shorter.
fn slice<'a>(line: &'a str, range: &Range<usize>) -> &'a str {
    // A mark stays with the character that it is on.
    let starts = line.char_indices().filter(|&(byte, c)| byte == 0 || c.width() != Some(0)).map(|(byte, _)| byte);
    let starts: Vec<usize> = starts.chain([line.len()]).collect();
    let byte = |place: usize| {
        let before = starts.partition_point(|&byte| line[..byte].width() < place);
        starts.get(before).map_or(line.len(), |&byte| byte)
    };
    let start = byte(range.start);
    &line[start..byte(range.end).max(start)]
}

/// A text with blanks up to this width.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{:1$}", "", width.saturating_sub(text.width()))
}

impl<'a> Grid<'a> {
    fn new(lines: Vec<&'a str>) -> Grid<'a> {
        let width = lines.iter().map(|line| line.width()).max().unwrap_or(0);
        let starts = if lines[0].starts_with('|') { bars(lines[1]) } else { gaps(&lines, width) };
        let ends = starts.iter().skip(1).copied().chain([width]);
        let columns = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        Grid { lines, columns }
    }

    /// The header of a column.
    fn header(&self, column: &Range<usize>) -> &'a str {
        cell(self.lines[0], column)
    }

    /// The lines without some columns.
    fn without(&self, left_out: &[usize]) -> Vec<String> {
        let is_kept = |index: &usize| !left_out.contains(index);
        let kept: Vec<&Range<usize>> = (0..self.columns.len()).filter(is_kept).map(|i| &self.columns[i]).collect();
        let line = |line: &&str| kept.iter().map(|column| slice(line, column)).collect::<String>();
        // A Markdown table is closed by the bar that was the last one's.
        let is_open = self.lines[0].starts_with('|');
        let close = |line: String| if is_open { line.trim_end_matches('|').to_owned() + "|" } else { line };
        self.lines.iter().map(line).map(close).map(|line| line.trim_end().to_owned()).collect()
    }

    /// The lines of a Markdown table in at most this width, as far as more lines for the cells of these columns can do
    /// it. The widest column gives way first, and none becomes narrower than its longest word.
    fn folded(&self, width: usize, names: &[&str]) -> Vec<String> {
        let widest = self.lines.iter().map(|line| line.width()).max().unwrap_or(0);
        if widest <= width || !self.lines[0].starts_with('|') {
            return self.lines.iter().map(|line| (*line).to_owned()).collect();
        }
        // The bar that closes the table belongs to no column.
        let columns: Vec<Range<usize>> =
            self.columns.iter().map(|column| column.start..column.end.min(widest - 1)).collect();
        let least = |column: &Range<usize>| {
            let words = self.lines.iter().filter(|line| !is_rule(line)).map(|line| longest_word(cell(line, column)));
            names.contains(&self.header(column)).then(|| words.max().unwrap_or(0) + CELL_MARGIN)
        };
        let least: Vec<Option<usize>> = columns.iter().map(least).collect();
        let mut widths: Vec<usize> = columns.iter().map(Range::len).collect();
        while widths.iter().sum::<usize>() + 1 > width {
            let can_give = |&index: &usize| least[index].is_some_and(|least| least < widths[index]);
            let Some(widest) = (0..widths.len()).filter(can_give).max_by_key(|&index| widths[index]) else { break };
            widths[widest] -= 1;
        }
        self.lines.iter().flat_map(|line| folded_line(line, &columns, &widths)).collect()
    }

    /// The lines of a table without bars in at most this width, as far as shorter names in these columns can do it.
    fn cut(&self, width: usize, names: &[&str]) -> Vec<String> {
        let widest = self.lines.iter().map(|line| line.width()).max().unwrap_or(0);
        let mut excess = if self.lines[0].starts_with('|') { 0 } else { widest.saturating_sub(width) };
        let mut room = |column: &Range<usize>| {
            let can_give =
                if names.contains(&self.header(column)) { column.len().saturating_sub(LEAST_NAMES) } else { 0 };
            let given = excess.min(can_give);
            excess -= given;
            column.len() - given
        };
        let rooms: Vec<usize> = self.columns.iter().map(&mut room).collect();
        let line = |line: &&str| {
            let cell = |(column, &room): (&Range<usize>, &usize)| match slice(line, column) {
                cell if room == column.len() => cell.to_owned(),
                cell if is_rule(line) => cell.chars().take(room).collect(),
                cell => name_within(cell, room),
            };
            self.columns.iter().zip(&rooms).map(cell).collect()
        };
        self.lines.iter().map(line).collect()
    }

    /// The lines in at most this width, as far as that can be done, and the headers of what is left out.
    fn fitted(&self, width: usize, first_to_go: &[&str]) -> (Vec<String>, Vec<&'a str>) {
        let mut left_out: Vec<usize> = Vec::new();
        let widest = |lines: &[String]| lines.iter().map(|line| line.width()).max().unwrap_or(0);
        let mut lines = self.without(&left_out);
        for &name in first_to_go {
            if widest(&lines) <= width {
                break;
            }
            let named = |(index, column): (usize, &Range<usize>)| (self.header(column) == name).then_some(index);
            left_out.extend(self.columns.iter().enumerate().filter_map(named));
            lines = self.without(&left_out);
        }
        left_out.sort_unstable();
        (lines, left_out.into_iter().map(|index| self.header(&self.columns[index])).collect())
    }
}

/// A cell of a table without bars in so many places, the last of them a blank.
fn name_within(cell: &str, width: usize) -> String {
    let indent = cell.width().saturating_sub(cell.trim_start().width()).min(width);
    let name = without_middle(cell.trim(), width.saturating_sub(indent + 1));
    format!("{:indent$}{}", "", padded(&name, width - indent))
}

/// A name in at most this width: one that is too long loses its middle, since names differ at their beginning or end.
pub fn without_middle(name: &str, width: usize) -> String {
    let length = name.width();
    let with = |kept: usize| {
        let (begin, end) = (kept.div_ceil(2), length.saturating_sub(kept / 2));
        format!("{}{GAP}{}", slice(name, &(0..begin)), slice(name, &(end..length)))
    };
    match length > width {
        // A wide character that a cut meets is kept whole, and may be too much.
        true => (0..=width).rev().map(with).find(|name| name.width() <= width).unwrap_or_default(),
        false => name.to_owned(),
    }
}

/// The contents of a cell of a Markdown table.
fn cell<'a>(line: &'a str, column: &Range<usize>) -> &'a str {
    slice(line, column).trim_matches(['|', ' '])
}

/// A line of a Markdown table in as many lines as its cells need in columns of these widths, bar and blanks included.
fn folded_line(line: &str, columns: &[Range<usize>], widths: &[usize]) -> Vec<String> {
    let folded = |(column, &width): (&Range<usize>, &usize)| match width < column.len() {
        true if is_rule(line) => vec![slice(line, column)[..width].to_owned()],
        true => {
            let room = width - CELL_MARGIN;
            wrapped(cell(line, column), room).iter().map(|text| format!("| {} ", padded(text, room))).collect()
        }
        false => vec![slice(line, column).to_owned()],
    };
    let cells: Vec<Vec<String>> = columns.iter().zip(widths).map(folded).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(1);
    let empty: Vec<String> = widths.iter().map(|width| format!("|{:1$}", "", width - 1)).collect();
    let part = |at: usize| {
        let parts = cells.iter().zip(&empty).map(|(cell, empty)| cell.get(at).unwrap_or(empty).as_str());
        parts.collect::<String>() + "|"
    };
    (0..height).map(part).collect()
}

/// Where the columns of a Markdown table start: at the bars, except the last.
fn bars(rule: &str) -> Vec<usize> {
    let mut bars: Vec<usize> = rule.chars().enumerate().filter(|&(_, c)| c == '|').map(|(at, _)| at).collect();
    bars.pop();
    bars
}

/// Where the columns of a table without bars start: after two blanks or more in every line.
fn gaps(lines: &[&str], width: usize) -> Vec<usize> {
    let mut blank = vec![true; width];
    for line in lines.iter().filter(|line| !is_rule(line)) {
        let mut place = 0;
        for word in line.split(' ') {
            blank.iter_mut().skip(place).take(word.width()).for_each(|blank| *blank = false);
            place += word.width() + 1;
        }
    }
    let is_start = |&at: &usize| at >= 2 && blank[at - 2] && blank[at - 1] && !blank[at];
    // One blank belongs to the column.
    std::iter::once(0).chain((2..width).filter(is_start).map(|at| at - 1)).filter(|&at| at != 1).collect()
}

/// The lines of a board, or of other columns without a header, with a blank less in each gap that all of them have, if
/// they fit then.
fn squeezed(lines: &[&str], width: usize) -> Option<Vec<String>> {
    let widest = lines.iter().map(|line| line.width()).max()?;
    let written: Vec<&str> = lines.iter().copied().filter(|line| !line.is_empty()).collect();
    let gaps = gaps(&written, widest);
    let is_kept = |at: usize| at == 0 || !gaps.contains(&at);
    let narrow = |line: &&str| line.chars().enumerate().filter(|&(at, _)| is_kept(at)).map(|(_, c)| c).collect();
    let narrow: Vec<String> = lines.iter().map(narrow).collect();
    let is_plain = lines.iter().all(|line| line.is_ascii());
    (is_plain && narrow.iter().all(|line| line.width() <= width)).then_some(narrow)
}

/// The lines of a paragraph in at most this width.
fn fitting(lines: &[&str], width: usize) -> Vec<String> {
    let fits = |line: &str| line.width() <= width;
    if lines.iter().all(|line| fits(line)) {
        return lines.iter().map(|&line| line.to_owned()).collect();
    }
    let broken = |&line: &&str| if fits(line) { vec![line.to_owned()] } else { wrapped(line, width) };
    squeezed(lines, width).unwrap_or_else(|| lines.iter().flat_map(broken).collect())
}

/// A paragraph in one line.
fn unwrapped(paragraph: &str) -> String {
    paragraph.lines().collect::<Vec<_>>().join(" ") + "\n"
}

/// The text in at most this width, as far as the style of its tables allows.
pub fn narrowed(text: &str, width: usize, style: &TableStyle) -> String {
    let legends = style.legends.iter().filter(|_| width < PAGE_WIDTH);
    let text = legends.fold(text.to_owned(), |text, legend| text.replace(legend, &unwrapped(legend)));
    let mut narrow = String::new();
    for part in parts(&text) {
        match part {
            Part::Lines(lines) => {
                fitting(&lines, width).iter().for_each(|line| narrow.push_str(&format!("{line}\n")));
            }
            Part::Table(grid) => {
                let folded = grid.folded(width, style.folded);
                let cut = Grid::new(folded.iter().map(String::as_str).collect()).cut(width, style.cut);
                let grid = Grid::new(cut.iter().map(String::as_str).collect());
                let (lines, left_out) = grid.fitted(width, style.first_to_go);
                lines.iter().for_each(|line| narrow.push_str(&format!("{line}\n")));
                let mut names: Vec<&str> = Vec::new();
                for name in left_out.into_iter().map(|name| if name.is_empty() { "remarks" } else { name }) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                if !names.is_empty() {
                    let line = format!("(no room for: {})", names.join(", "));
                    wrapped(&line, width).iter().for_each(|line| narrow.push_str(&format!("{line}\n")));
                }
            }
        }
    }
    narrow
}

/// The text with the cells of some columns changed: `paint` gets a column's header and a cell, and returns the cell as
/// it is to be shown, which must not be wider when seen.
pub fn painted(text: &str, paint: impl Fn(&str, &str) -> String) -> String {
    let mut painted = String::new();
    for part in parts(text) {
        match part {
            Part::Lines(lines) => lines.iter().for_each(|line| painted.push_str(&format!("{line}\n"))),
            Part::Table(grid) => {
                for (row, line) in grid.lines.iter().enumerate() {
                    let cell = |column| match row {
                        0 | 1 => slice(line, column).to_owned(),
                        _ => paint(grid.header(column), slice(line, column)),
                    };
                    painted.extend(grid.columns.iter().map(cell));
                    painted.push('\n');
                }
            }
        }
    }
    painted
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::{aligned, plain};
    use super::*;

    const STYLE: TableStyle = TableStyle::without_verdicts(&["failed", "", "iteration", "total", "PV"]);
    const MARKDOWN: &str = "\
before

| iter | total | score | failed | PV        |
|------|-------|-------|--------|-----------|
|    6 |   120 | +0.35 |      1 | 1.Be4 Qf8 |
|    7 | 1,200 |    #3 |      0 | 1.Be4     |

after
";
    const PLAIN: &str = "  \
  id        expected   played    score   solved   iteration   nodes
-------------------------------------------------------------------------
  mate.1    Qxf7#      Qxf7#        #1   yes              1   1,200
  never.1   not Kb8    Kb8       -9.10   no                           found in 1, left again

rest
";

    #[test]
    fn what_fits_stays_as_it_is() {
        assert_eq!(narrowed(MARKDOWN, 80, &STYLE), MARKDOWN);
        assert_eq!(narrowed(PLAIN, 100, &STYLE), PLAIN);
        assert_eq!(narrowed("no table\n---\n\n", 3, &STYLE), "no table\n---\n\n");
    }

    #[test]
    fn columns_go_in_the_stated_order() {
        let narrow = narrowed(MARKDOWN, 40, &STYLE);
        let expected = "\
before

| iter | total | score | PV        |
|------|-------|-------|-----------|
|    6 |   120 | +0.35 | 1.Be4 Qf8 |
|    7 | 1,200 |    #3 | 1.Be4     |
(no room for: failed)

after
";
        assert_eq!(narrow, expected);
        assert!(
            narrowed(MARKDOWN, 30, &STYLE).contains("| iter | score | PV        |\n"),
            "{}",
            narrowed(MARKDOWN, 30, &STYLE)
        );
        assert!(narrowed(MARKDOWN, 30, &STYLE).ends_with("(no room for: total, failed)\n\nafter\n"));
        assert!(narrowed(MARKDOWN, 20, &STYLE).ends_with("(no room for: total,\nfailed, PV)\n\nafter\n"));
        assert!(narrowed(MARKDOWN, 5, &STYLE).contains("|    6 | +0.35 |\n"), "the rest stays however narrow it is");
    }

    #[test]
    fn words_take_more_lines_before_columns_go() {
        let folding = TableStyle { folded: &["PV"], ..STYLE };
        let narrow = narrowed(MARKDOWN, 41, &folding);
        let expected = "\
| iter | total | score | failed | PV    |
|------|-------|-------|--------|-------|
|    6 |   120 | +0.35 |      1 | 1.Be4 |
|      |       |       |        | Qf8   |
|    7 | 1,200 |    #3 |      0 | 1.Be4 |
";
        assert!(narrow.contains(expected), "{narrow}");
        // One does not suffice.
        assert!(narrowed(MARKDOWN, 36, &folding).contains("(no room for: failed)"));
        assert_eq!(narrowed("a long line\n", 7, &folding), "a long\nline\n");
    }

    #[test]
    fn a_board_keeps_its_columns() {
        let board = "2  P+0.48  P+0.97\n1  R+4.65       .\n        a       b\n";
        assert_eq!(narrowed(board, 16, &STYLE), "2 P+0.48 P+0.97\n1 R+4.65      .\n       a      b\n");
        let wide = "2  P+0.48 P+10.97\n1  R+4.65       .\n        a       b\n";
        assert_eq!(narrowed(wide, 16, &STYLE), "2 P+0.48 P+10.97\n1 R+4.65       .\n       a       b\n");
        assert_eq!(narrowed("  An indented sentence\n", 21, &STYLE), "  An indented\n  sentence\n");
    }

    #[test]
    fn legends_are_broken_once() {
        const LEGEND: &str = "one two three four\nfive six\n";
        let text = format!("{LEGEND}a line\n");
        let style = TableStyle { legends: &[LEGEND], ..STYLE };
        assert_eq!(narrowed(&text, 16, &style), "one two three\nfour five six\na line\n");
        assert_eq!(narrowed(&text, PAGE_WIDTH, &style), text);
    }

    #[test]
    fn tables_without_bars_are_narrowed_too() {
        let narrow = narrowed(PLAIN, 75, &STYLE);
        assert!(narrow.contains("iteration   nodes\n") && narrow.contains("(no room for: remarks)"), "{narrow}");
        let narrow = narrowed(PLAIN, 60, &STYLE);
        assert!(narrow.contains("solved   nodes\n") && narrow.contains("iteration, remarks)"), "{narrow}");
        assert!(narrow.lines().all(|line| line.width() <= 60), "{narrow}");
    }

    #[test]
    fn long_names_lose_their_middle_before_columns_go() {
        let cutting = TableStyle { cut: &["id"], ..STYLE };
        let long = PLAIN
            .replace("  id     ", "  id                                       ")
            .replace("---\n", &format!("{:-<35}\n", ""));
        let long = long
            .replace("mate.1", "A theme with a long name and a number.01")
            .replace("never.1 ", &format!("{:42}", "never.1"));
        let narrow = narrowed(&long, 105, &cutting);
        assert!(narrow.contains("  A theme w...number.01  Qxf7#      Qxf7#        #1   yes  "), "{narrow}");
        assert!(narrow.contains("  never.1  ") && !narrow.contains("no room"), "{narrow}");
        assert!(narrow.lines().all(|line| line.width() <= 105), "{narrow}");
        assert!(narrowed(&long, 90, &cutting).contains("(no room for: remarks)"), "names are not cut to nothing");
    }

    #[test]
    fn columns_are_where_they_are_seen() {
        let style = TableStyle { cut: &["id"], ..STYLE };
        let table = |make: fn(&[&str]) -> comfy_table::Table| {
            let mut table = make(&["id", "played", "nodes"]);
            table.add_row(["第三局、サンクトペテルブルク一九一四年", "Qxf7#", "1,200"]);
            table.add_row(["Re\u{301}ti\u{301} \u{644}\u{627}", "not Kb8", "12"]);
            format!("{table}\n")
        };
        for text in [table(plain), table(|headers| aligned(headers, &["id"]))] {
            assert_eq!(painted(&text, |_, cell| cell.to_owned()), text);
            painted(&text, |header, cell| {
                let has_all = header != "played" || ["Qxf7#", "not Kb8"].contains(&cell.trim_matches(['|', ' ']));
                assert!(has_all, "{cell}");
                cell.to_owned()
            });
        }
        let narrow = narrowed(&table(plain), 46, &style);
        assert!(narrow.lines().all(|line| line.width() <= 46), "{narrow}");
        assert!(narrow.contains(" 第三局、サン...ク一九一四年  Qxf7#     1,200"), "{narrow}");
        assert!(narrow.contains(" Re\u{301}ti\u{301} \u{644}\u{627}                       not Kb8   12"), "{narrow}");
    }

    proptest! {
        #[test]
        fn no_character_is_lost_or_stops_the_program(cells in vec("\\PC{0,30}", 6)) {
            let mut table = plain(&["id", "nodes", ""]);
            table.add_row(&cells[..3]).add_row(&cells[3..]);
            let text = format!("{table}\n");
            prop_assert_eq!(&painted(&text, |_, cell| cell.to_owned()), &text);
            narrowed(&text, 40, &TableStyle { cut: &["id"], ..STYLE });
        }
    }

    #[test]
    fn cells_are_painted_by_column() {
        let mark = |header: &str, cell: &str| match header {
            "solved" => cell.replace("yes", "YES"),
            _ => cell.to_owned(),
        };
        assert_eq!(painted(PLAIN, mark), PLAIN.replace("yes", "YES"));
        assert_eq!(painted(MARKDOWN, mark), MARKDOWN);
    }
}
