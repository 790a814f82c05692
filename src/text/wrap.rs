//! Text broken at blanks into lines of a certain width on the screen.

use unicode_width::UnicodeWidthStr;

/// The words of a line in lines of at most this width, all after the blanks that the line begins with. A longer
/// word has a line of its own.
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    let words = line.trim_start();
    let indent = &line[..line.len() - words.len()];
    let lines = filled(words.split_whitespace(), indent, width);
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// Words, which may have blanks in them, in lines of at most this width, each after the indent.
pub fn filled<'a>(words: impl IntoIterator<Item = &'a str>, indent: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut column = 0;
    for word in words {
        let length = word.width();
        match lines.last_mut() {
            Some(last) if column + 1 + length <= width => {
                last.push(' ');
                last.push_str(word);
                column += 1 + length;
            }
            _ => {
                lines.push(format!("{indent}{word}"));
                column = indent.width() + length;
            }
        }
    }
    lines
}

/// The longest word's width.
pub fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(|word| word.width()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_keep_their_indent() {
        assert_eq!(wrapped("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrapped("  one two three", 9), ["  one two", "  three"]);
        assert_eq!(wrapped("extraordinary größe", 5), ["extraordinary", "größe"]);
        assert_eq!(filled(["a b", "c", "d"], "-", 6), ["-a b c", "-d"]);
        assert_eq!((wrapped("", 5), wrapped("   ", 5)), (vec![String::new()], vec![String::new()]));
        assert_eq!(longest_word("a größe b"), 5);
        assert_eq!(wrapped("第一局 第二局", 9), ["第一局", "第二局"]);
    }
}
