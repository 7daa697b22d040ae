//! Names and texts as each language spells them.

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

/// `shadowMapWidth`, `gltf-model`, `handLeft` as `shadow_map_width`, `gltf_model`, `hand_left`.
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

/// [`snake`], as a raw identifier where it is a keyword.
pub(super) fn rust_name(name: &str) -> String {
    let snake = snake(name);
    if RUST_KEYWORDS.contains(&snake.as_str()) { format!("r#{snake}") } else { snake }
}

/// ARENA's name, with `_` for `-` and after a keyword.
pub(super) fn python_name(name: &str) -> String {
    let spelt = name.replace('-', "_");
    if PYTHON_KEYWORDS.contains(&spelt.as_str()) { format!("{spelt}_") } else { spelt }
}

/// `shadowMapWidth`, `gltf-model` as `shadowMapWidth`, `gltfModel`.
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

/// A text in double quotes, as Rust, TypeScript, Python and JSON all read it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A bound without a needless fraction.
pub(super) fn number(value: f64) -> String {
    serde_json::to_string(&value).map(|text| text.trim_end_matches(".0").to_owned()).expect("bounds are finite")
}

/// `0 to 1`, `at least 1`, or nothing.
pub(super) fn range(range: Range) -> String {
    match (range.minimum.map(number), range.maximum.map(number)) {
        (Some(minimum), Some(maximum)) => format!("{minimum} to {maximum}"),
        (Some(minimum), None) => format!("at least {minimum}"),
        (None, Some(maximum)) => format!("at most {maximum}"),
        (None, None) => String::new(),
    }
}
