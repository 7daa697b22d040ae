//! The few HTTP requests that experiments make, by hand: one connection each, read to its end.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context, Result, ensure};

use crate::limits;

/// The body of an answer of 200, whole.
pub(crate) fn get(address: SocketAddr, path: &str, token: Option<&str>) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(limits::ANSWER_TIMEOUT))?;
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n{authorization}Connection: close\r\n\r\n",
        address.port()
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end =
        answer.windows(4).position(|window| window == b"\r\n\r\n").context("an answer without an end of its head")?;
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200"), "{path}: {head}");
    let body = &answer[end + 4..];
    if head.contains("transfer-encoding: chunked") { unchunked(body) } else { Ok(body.to_vec()) }
}

fn unchunked(mut body: &[u8]) -> Result<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let line = body.windows(2).position(|window| window == b"\r\n").context("a chunk without a length")?;
        let length = usize::from_str_radix(std::str::from_utf8(&body[..line])?.trim(), 16)?;
        let chunk = body.get(line + 2..line + 2 + length).context("a chunk that is cut off")?;
        if length == 0 {
            return Ok(whole);
        }
        whole.extend_from_slice(chunk);
        body = body.get(line + 4 + length..).context("a chunk that is cut off")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together() {
        assert_eq!(unchunked(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").expect("whole"), b"abcde");
        assert!(unchunked(b"5\r\nabc").is_err(), "a cut answer is no answer");
    }
}
