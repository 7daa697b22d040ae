//! The banner at start: links to the pages, the link to become the owner, and a QR code for phones.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::app::App;
use crate::config::host_names::base_url;
use crate::os::private_file;

/// The links of a running server.
pub(super) struct BannerLinks {
    here: Option<String>,
    network: Option<String>,
    owner: Option<String>,
}

impl BannerLinks {
    pub(super) fn new(app: &App, owner_secret: Option<&str>) -> BannerLinks {
        let here = match (app.ports.http, app.ports.https) {
            (Some(http), _) => Some(base_url("http", "localhost", http.port())),
            (None, Some(https)) => Some(base_url("https", "localhost", https.port())),
            (None, None) => None,
        };
        let network = app.network_address();
        let owner = owner_secret.zip(here.as_ref()).map(|(secret, base)| format!("{base}/owner#{secret}"));
        BannerLinks { here, network, owner }
    }

    /// Writes `run/owner-link`, readable by the data folder's user only. Removes the file if there is no link: the
    /// realm has an owner, or HTTP and HTTPS are off.
    pub(super) fn write_owner_link(&self, run_dir: &Path) -> io::Result<()> {
        let path = run_dir.join("owner-link");
        match &self.owner {
            Some(link) => private_file::write(&path, &format!("{link}\n")),
            None => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
        }
    }

    /// Prints the links. The owner's link and the QR code are printed to a terminal only, because files and logs keep
    /// their content.
    pub(super) fn show(&self, run_dir: &Path) {
        let out = io::stdout();
        let text = self.text(out.is_terminal(), &std::path::absolute(run_dir).unwrap_or_else(|_| run_dir.to_owned()));
        // Standard output may be closed.
        let _ = out.lock().write_all(text.as_bytes());
    }

    fn text(&self, terminal: bool, run_dir: &Path) -> String {
        let mut text = String::from("\n  Stoa is ready.\n\n");
        let mut line = |name: &str, link: &str| text.push_str(&format!("  {name:<16} {link}\n"));
        if let Some(here) = &self.here {
            line("on this machine", here);
        }
        if let Some(network) = &self.network {
            line("in the network", network);
        }
        match &self.owner {
            Some(owner) if terminal => line("become owner", &format!("{owner}  (once, within an hour)")),
            Some(_) => line("become owner", &format!("by the link in {}", run_dir.join("owner-link").display())),
            None => {}
        }
        if !terminal {
            line("run folder", &run_dir.display().to_string());
        }
        if let Some(code) = self.network.as_ref().filter(|_| terminal).and_then(|link| QrCode::new(link).ok()) {
            text.push('\n');
            text.push_str(&framed(&code.render::<Dense1x2>().build()));
            text.push('\n');
        }
        text.push('\n');
        text
    }
}

/// Makes the code black on white in any terminal, because most readers reject light codes on a dark ground.
fn framed(code: &str) -> String {
    code.lines().map(|line| format!("\x1b[30;107m{line}\x1b[0m\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_link_is_printed_only_to_a_terminal() {
        let links = BannerLinks {
            here: Some("http://localhost:8080".to_owned()),
            network: Some("https://192.168.1.5:8443".to_owned()),
            owner: Some("http://localhost:8080/owner#secret".to_owned()),
        };
        let text = |terminal: bool| links.text(terminal, Path::new("/data/run"));
        assert!(!text(false).contains("secret"));
        assert!(text(false).contains("/data/run/owner-link"), "but where it lies is told");
        assert!(text(true).contains("secret"));
        assert!(text(true).contains('█'), "negative control: the QR code is there");
        assert!(!text(false).contains('█') && !text(false).contains('\x1b'));
    }

    #[test]
    fn the_qr_code_is_dark_on_light_on_every_terminal() {
        let code = QrCode::new("https://192.168.1.5:8443").unwrap();
        let shown = framed(&code.render::<Dense1x2>().build());
        for line in shown.lines() {
            assert!(line.starts_with("\x1b[30;107m") && line.ends_with("\x1b[0m"), "{line:?}");
        }
        // The quiet zone of four modules is light: unprinted cells on the light ground.
        let first = shown.lines().next().unwrap();
        assert!(!first.contains('█'), "{first:?}");
    }
}
