//! The hosts from which pages load a scene's files: `--file-hosts`.

use std::str::FromStr;

use super::is_host;

/// Hosts from which pages load the files that a scene's objects name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AllowedFileHosts {
    /// Any host.
    #[default]
    Any,
    /// This server and these hosts, each as `NAME` or `NAME:PORT`.
    Only(Vec<String>),
}

impl FromStr for AllowedFileHosts {
    /// The part that is not a host.
    type Err = String;

    /// Parses `any`, `own` or a comma-separated list of hosts.
    fn from_str(text: &str) -> Result<AllowedFileHosts, String> {
        match text {
            "any" => Ok(AllowedFileHosts::Any),
            "own" => Ok(AllowedFileHosts::Only(Vec::new())),
            list => {
                let host = |entry: &str| {
                    let entry = entry.trim().to_ascii_lowercase();
                    let (name, port) = entry.split_once(':').unwrap_or((&entry, "443"));
                    let is_valid = is_host(name) && port.parse::<u16>().is_ok_and(|port| port > 0);
                    if is_valid { Ok(entry) } else { Err(entry) }
                };
                list.split(',').map(host).collect::<Result<_, _>>().map(AllowedFileHosts::Only)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_hosts_parse_as_any_own_or_a_list_of_hosts() {
        assert_eq!("any".parse(), Ok(AllowedFileHosts::Any));
        assert_eq!("own".parse(), Ok(AllowedFileHosts::Only(Vec::new())));
        let listed = AllowedFileHosts::Only(vec!["cdn.example".into(), "media.example:8443".into()]);
        assert_eq!("cdn.example, Media.example:8443".parse(), Ok(listed));
        for (text, wrong) in [
            ("https://cdn.example", "https://cdn.example"),
            ("cdn.example,", ""),
            ("*.example", "*.example"),
            ("a.example; script-src *", "a.example; script-src *"),
            ("a.example:0", "a.example:0"),
        ] {
            assert_eq!(text.parse::<AllowedFileHosts>(), Err(wrong.to_owned()), "{text}");
        }
    }
}
