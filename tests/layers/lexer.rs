//! Rust text as words: enough of a lexer to find names and paths outside comments and literals.

/// The text with comments and the contents of literals replaced by spaces; line numbers do not change.
pub fn blanked(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skip_end(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            out.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

/// The end of the comment or literal that starts at `at`; `at` itself if none starts there.
fn skip_end(chars: &[char], at: usize) -> usize {
    let next = |offset: usize| chars.get(at + offset).copied();
    let follows_word = at > 0 && is_word(chars[at - 1]);
    match chars[at] {
        '/' if next(1) == Some('/') => chars[at..].iter().position(|&c| c == '\n').map_or(chars.len(), |n| at + n),
        '/' if next(1) == Some('*') => block_comment_end(chars, at),
        '"' => quoted_end(chars, at, '"'),
        'r' if !follows_word => raw_string_end(chars, at, 1),
        'b' | 'c' if !follows_word && next(1) == Some('r') => raw_string_end(chars, at, 2),
        // A quote starts a character literal if it is escaped or closed right after one character; otherwise it is a
        // lifetime.
        '\'' if next(1) == Some('\\') || next(2) == Some('\'') => quoted_end(chars, at, '\''),
        _ => at,
    }
}

/// The end of a nested block comment.
fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

/// The end of a literal between `quote`s with backslash escapes.
fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// The end of a raw string whose prefix has `prefix` letters; `start` if it is not one, such as a raw identifier.
fn raw_string_end(chars: &[char], start: usize, prefix: usize) -> usize {
    let hashes = chars[start + prefix..].iter().take_while(|&&c| c == '#').count();
    let open = start + prefix + hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let closes =
        |at: &usize| chars[*at] == '"' && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
    (open + 1..chars.len()).find(closes).map_or(chars.len(), |at| at + 1 + hashes)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A word, or one other character, with its line.
#[derive(Clone, Debug)]
pub struct Token {
    /// The word or character.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The words and other characters of a blanked text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut in_word = false;
        for c in line.chars() {
            match tokens.last_mut().filter(|_| in_word && is_word(c)) {
                Some(token) => token.text.push(c),
                None if c.is_whitespace() => {}
                None => tokens.push(Token { text: c.to_string(), line: index + 1 }),
            }
            in_word = is_word(c);
        }
    }
    tokens
}
