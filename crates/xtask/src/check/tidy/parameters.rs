//! STYLE.md, *Numbers*: a tuple pattern hides parameters from their limit, so parameters are named. Coordinates,
//! tests and the lab are exempt.

use std::path::Path;

use super::type_names::{is_test, product_part};

const COORDINATES: [&str; 12] =
    ["x", "y", "z", "w", "u", "v", "row", "column", "width", "height", "latitude", "longitude"];

pub(crate) fn findings(path: &Path, text: &str) -> Vec<String> {
    let is_product = path.extension().is_some_and(|extension| extension == "rs")
        && !path.starts_with("crates/lab")
        && !is_test(path);
    if !is_product {
        return Vec::new();
    }
    let text = product_part(text);
    let starts = text.match_indices("fn ").filter(|(at, _)| is_word_start(text, *at));
    starts.filter_map(|(at, _)| objection(path, text, at)).collect()
}

fn is_word_start(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    !line.contains("//") && line.chars().next_back().is_none_or(|before| before == ' ')
}

fn objection(path: &Path, text: &str, at: usize) -> Option<String> {
    let signature = text.get(at + 3..)?;
    let name: String = signature.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let opens = signature.find('(')?;
    // Without a name, `fn ` declares no function: it is part of a text.
    if name.is_empty() {
        return None;
    }
    let tuple = parameters(&signature[opens + 1..]).into_iter().find(|parameter| is_tuple(parameter))?;
    let line = text[..at].matches('\n').count() + 1;
    Some(format!("{}:{line}: {name} has a tuple pattern as a parameter, name its parts: {tuple}", path.display()))
}

/// The parameters after an opening parenthesis, as written.
fn parameters(rest: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut depth = 0_i32;
    for letter in rest.chars() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' if depth == 0 => break,
            // The arrow of a function type closes nothing.
            '>' if found.last().is_some_and(|it| it.ends_with('-')) => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(letter);
        }
    }
    found.into_iter().map(|parameter| parameter.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn is_tuple(parameter: &str) -> bool {
    let pattern = parameter.trim_start_matches('&');
    let Some(inside) = pattern.strip_prefix('(') else { return false };
    let names = inside.split(')').next().unwrap_or_default();
    !names.split(',').all(|name| COORDINATES.contains(&name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_pattern_as_a_parameter_is_rejected() {
        let found = |path: &str, text: &str| findings(Path::new(path), text).len();
        for text in [
            "fn at((x, y): (f32, f32)) {}\n",
            "fn run(app: &App, part: (u8, u8)) {}\n",
            "async fn get(State(app): State<App>, Path((a, b)): Path<(String, String)>) {}\n",
            "fn each(f: impl Fn((u8, u8)) -> u8, n: u8) {}\n",
            "// fn f((a, b): (A, B))\n",
            "fn f() { list.map(|(a, b)| a); }\n",
        ] {
            assert_eq!(found("crates/net/src/a.rs", text), 0, "negative control: {text}");
        }
        let wrong = "pub(crate) fn run<T: Into<u8>>(\n    &self,\n    (app, scene): (&App, &Scene),\n) {}\n";
        assert_eq!(found("crates/net/src/a.rs", wrong), 1);
        assert_eq!(found("crates/lab/src/a.rs", wrong), 0, "the lab is left out");
        assert_eq!(found("crates/net/src/a.rs", &format!("\n#[cfg(test)]\nmod tests {{\n{wrong}}}\n")), 0);
    }
}
