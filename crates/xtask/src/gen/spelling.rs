//! Names and texts in the spelling of each language.

use super::schema::Range;

const RUST_KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "try", "type", "typeof", "unsafe",
    "unsized", "use", "virtual", "where", "while", "yield",
];

const PYTHON_KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
];

/// `shadowMapWidth`, `gltf-model`, `handLeft` become `shadow_map_width`, `gltf_model`, `hand_left`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut was_lower = false;
    for letter in name.trim_end_matches('_').chars() {
        if letter.is_ascii_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        snake.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
    }
    snake
}

/// [`snake`], as a raw identifier for a keyword.
pub(super) fn rust_name(name: &str) -> String {
    let snake = snake(name);
    if RUST_KEYWORDS.contains(&snake.as_str()) { format!("r#{snake}") } else { snake }
}

/// ARENA's name, with `_` for `-` and after a keyword.
pub(super) fn python_name(name: &str) -> String {
    let spelt = name.replace('-', "_");
    if PYTHON_KEYWORDS.contains(&spelt.as_str()) { format!("{spelt}_") } else { spelt }
}

/// `shadowMapWidth`, `gltf-model` become `shadowMapWidth`, `gltfModel`.
pub(super) fn camel(name: &str) -> String {
    let mut camel = String::new();
    let mut raise = false;
    for letter in name.chars() {
        match letter {
            '-' | '_' => raise = true,
            _ if raise => {
                camel.push(letter.to_ascii_uppercase());
                raise = false;
            }
            _ => camel.push(letter),
        }
    }
    camel
}

/// A text in double quotes, valid in Rust, TypeScript, Python and JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A bound without a zero fraction.
pub(super) fn number(value: f64) -> String {
    serde_json::to_string(&value).map(|text| text.trim_end_matches(".0").to_owned()).expect("bounds are finite")
}

/// `0 to 1`, `at least 1`, or empty.
pub(super) fn range(range: Range) -> String {
    match (range.minimum.map(number), range.maximum.map(number)) {
        (Some(minimum), Some(maximum)) => format!("{minimum} to {maximum}"),
        (Some(minimum), None) => format!("at least {minimum}"),
        (None, Some(maximum)) => format!("at most {maximum}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_spelling_of_each_language() {
        let spelt = |name| (rust_name(name), python_name(name), camel(name));
        let words =
            |rust: &str, python: &str, typescript: &str| (rust.to_owned(), python.to_owned(), typescript.to_owned());
        assert_eq!(spelt("shadowMapWidth"), words("shadow_map_width", "shadowMapWidth", "shadowMapWidth"));
        assert_eq!(spelt("click-listener"), words("click_listener", "click_listener", "clickListener"));
        assert_eq!(spelt("groundColor2"), words("ground_color2", "groundColor2", "groundColor2"));
        assert_eq!(spelt("gaussian_splatting"), words("gaussian_splatting", "gaussian_splatting", "gaussianSplatting"));
    }

    #[test]
    fn keywords_are_escaped_in_the_language_that_reserves_them() {
        assert_eq!((rust_name("from"), python_name("from")), ("from".to_owned(), "from_".to_owned()));
        assert_eq!((rust_name("type"), python_name("type")), ("r#type".to_owned(), "type".to_owned()));
    }

    #[test]
    fn a_range_names_only_its_existing_bounds() {
        let words = |minimum, maximum| range(Range { minimum, maximum });
        assert_eq!(words(Some(0.0), Some(1.0)), "0 to 1");
        assert_eq!(words(Some(0.5), None), "at least 0.5");
        assert_eq!(words(None, None), "");
    }
}
