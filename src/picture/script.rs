//! Scripts of pages: their data, what they share, and their own code.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// Elements, tables and boards, for every script.
const COMMON: &str = include_str!("board.js");

/// The data of a page and the script that draws it, to stand at the end of the page's body. The script finds the data
/// as `data`.
///
/// # Errors
///
/// The data has a map with keys that JSON could not hold.
pub fn script(data: &impl Serialize, code: &str) -> Result<Markup, serde_json::Error> {
    // Only this character could end the script element.
    let json = serde_json::to_string(data)?.replace('<', "\\u003c");
    Ok(html! {
        noscript { p { "This page draws its contents with a script; without one there is little to see." } }
        script type="application/json" id="data" { (PreEscaped(json)) }
        script { (PreEscaped(COMMON)) (PreEscaped(code)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_script() {
        let page = script(&["</script><b>"], "start();").unwrap().into_string();
        assert_eq!(page.matches("</script>").count(), 2, "{page}");
        assert!(page.contains(r#"["\u003c/script>"#) && page.ends_with("start();</script>"), "{page}");
    }
}
