//! Names of guests in ARENA's programs.

use stoa_wire::topic::is_name;

use super::AccountServiceError;

const PREFIX: &str = "anonymous-";

/// Checks a guest's name: `anonymous-` and a rest with at least two letters, valid in a topic.
///
/// # Errors
/// 400.
pub(super) fn check(name: Option<&str>) -> Result<&str, AccountServiceError> {
    let fits = |name: &&str| {
        let rest = name.strip_prefix(PREFIX).unwrap_or_default();
        is_name(name) && rest.bytes().filter(u8::is_ascii_alphabetic).count() >= 2
    };
    name.filter(fits).ok_or_else(|| {
        AccountServiceError::bad_request(
            "Invalid form parameter: 'username': a guest's is anonymous- and a name with two letters or more, of A-Z a-z 0-9 _ . -",
        )
    })
}

/// The display name: the part after `anonymous-`.
pub(super) fn shown(name: &str) -> String {
    name.strip_prefix(PREFIX).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arena_guest_name_needs_two_letters_and_valid_topic_characters() {
        for name in ["anonymous-bob", "anonymous-x1y", "anonymous-Unnamed.User_7"] {
            assert_eq!(check(Some(name)).ok(), Some(name));
        }
        let long = format!("anonymous-{}", "x".repeat(64));
        for name in [
            "bob",
            "anonymous-",
            "anonymous-1",
            "anonymous-a1",
            "anonymous-a/b/c",
            "anonymous-ab#",
            "anonymous-ab cd",
            &long,
        ] {
            assert!(check(Some(name)).is_err(), "{name}");
        }
        assert!(check(None).is_err());
    }
}
