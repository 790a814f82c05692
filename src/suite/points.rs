//! Points for moves, as in the Strategic Test Suite: `c0 "f5=100, Bf2=46"`, or `c8 "100 46"` with the moves in `c9`
//! (coordinates) or `c7` (SAN).
//!
//! Comments are free text, so only text in this format is read as points, and only if some move is worth any.

use super::fault::Fault;
use super::fields::Word;
use super::moves::{looks_like_move, move_words, parse_move};
use super::operations::Operation;
use crate::board::{Move, Position};

/// The points that the operations give to moves; empty if there are none.
pub(super) fn parse(position: &Position, operations: &[Operation]) -> Result<Vec<(Move, u32)>, Fault> {
    let comment = |name| operations.iter().find(|op| op.name == name).map(Operation::unquoted);
    let moves = ["c9", "c7"].into_iter().filter_map(comment).find(|&list| is_move_list(list));
    if let (Some(moves), Some(numbers)) = (moves, comment("c8"))
        && let Some(points) = numbers_of(numbers)
    {
        let moves: Vec<Word> = move_words(moves).collect();
        if moves.len() != points.len() {
            let reason = format!("{} points for {} moves", points.len(), moves.len());
            return Err(Fault::new(numbers.start, reason));
        }
        return moves_with_points(position, moves.into_iter().zip(points));
    }
    moves_with_points(position, comment("c0").and_then(pairs_of).unwrap_or_default())
}

/// The moves, each once, or the reason why one is not legal or not worth anything definite.
fn moves_with_points<'a>(
    position: &Position,
    pairs: impl IntoIterator<Item = (Word<'a>, u32)>,
) -> Result<Vec<(Move, u32)>, Fault> {
    let mut all: Vec<(Move, u32)> = Vec::new();
    for (word, points) in pairs {
        let m = parse_move(position, word.text).map_err(|error| Fault::new(word.start, error.to_string()))?;
        match all.iter().find(|(known, _)| *known == m) {
            None => all.push((m, points)),
            Some((_, same)) if *same == points => {}
            Some((_, other)) => {
                return Err(Fault::new(word.start, format!("`{}` has {other} and {points} points", word.text)));
            }
        }
    }
    Ok(all)
}

/// Whether the text consists of moves only.
fn is_move_list(text: Word) -> bool {
    !text.text.is_empty() && move_words(text).all(|word| looks_like_move(word.text))
}

/// The numbers, if the text consists of numbers only, not all zero.
fn numbers_of(text: Word) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> =
        text.split(|c| c.is_whitespace() || c == ',').map(|word| word.text.parse().ok()).collect();
    numbers.filter(|numbers| numbers.iter().any(|&points| points > 0))
}

/// The moves with their points, if the text consists of these only and the points are not all zero.
fn pairs_of(text: Word) -> Option<Vec<(Word, u32)>> {
    let pairs: Option<Vec<(Word, u32)>> = text
        .split(|c| c == ',')
        .map(|pair| {
            let pair = pair.trimmed();
            // The last equals sign: a promotion has its own.
            let (name, number) = pair.text.rsplit_once('=')?;
            let points = number.trim().parse().ok()?;
            let name = Word { text: name.trim_end(), ..pair };
            looks_like_move(name.text).then_some((name, points))
        })
        .collect();
    pairs.filter(|pairs| pairs.iter().any(|&(_, points)| points > 0))
}

#[cfg(test)]
mod tests {
    use crate::suite::epd::parse_line;

    const HEAD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - ";

    fn points(operations: &str) -> Result<Vec<(String, u32)>, String> {
        let record = parse_line("x.epd", 1, &format!("{HEAD}{operations}")).map_err(|error| error.to_string())?;
        Ok(record.points.iter().map(|&(m, points)| (record.position.uci(m), points)).collect())
    }

    #[test]
    fn both_forms_say_the_same() {
        let expected = Ok(vec![("e2e4".to_owned(), 100), ("e1d2".to_owned(), 46)]);
        assert_eq!(points("c0 \"e4=100, Kd2=46\";"), expected);
        assert_eq!(points("c0 e4=100,Kd2 = 46"), expected);
        assert_eq!(points("c7 \"e4 Kd2\"; c8 \"100 46\"; c9 \"e2e4 e1d2\""), expected);
        assert_eq!(points("c7 \"e4 Kd2\"; c8 \"100, 46\""), expected);
    }

    #[test]
    fn comments_are_not_points() {
        for text in [
            "c0 \"All win\"",
            "c0 \"depth=12\"",
            "c8 \"12\"",
            "c0 \"=\"",
            "c0 \"Stockfish 17 d30 e4=35\"",
            "c0 \"after e4 Kd7 material=1\"",
            "c7 \"e4\"; c8 \"best\"",
            "c8 \"1\"; c9 \"\"",
            "c0 \"e4=0, Kd2=0\"",
            "c8 \"0 0\"; c9 \"e2e4 e1d2\"",
        ] {
            assert_eq!(points(text), Ok(vec![]), "{text}");
        }
    }

    #[test]
    fn points_that_do_not_fit_are_refused() {
        assert_eq!(points("c0 \"e5=10\""), Err("x.epd:1:33: `e5` is not legal here".to_owned()));
        assert_eq!(points("c8 \"1 2\"; c9 \"e2e4\""), Err("x.epd:1:33: 2 points for 1 moves".to_owned()));
    }

    #[test]
    fn a_move_has_one_number_of_points() {
        assert_eq!(points("c0 \"e4=5, e2e4=10\""), Err("x.epd:1:39: `e2e4` has 5 and 10 points".to_owned()));
        assert_eq!(points("c8 \"5 10\"; c9 \"e2e4 e2e4\""), Err("x.epd:1:49: `e2e4` has 5 and 10 points".to_owned()));
        assert_eq!(points("c0 \"e4=5, e2e4=5\""), Ok(vec![("e2e4".to_owned(), 5)]));
    }
}
