//! Sends HTTP requests of experiments, by a minimal client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context, Result, ensure};

use crate::limits;

/// Fetches a path on a connection of its own; returns the body. A status other than 200 is an error.
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
        answer.windows(4).position(|window| window == b"\r\n\r\n").context("a response without a complete header")?;
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200"), "{path}: {head}");
    let body = &answer[end + 4..];
    if head.contains("transfer-encoding: chunked") { unchunked(body) } else { Ok(body.to_vec()) }
}

/// A connection for several requests.
pub(crate) struct HttpConnection {
    stream: BufReader<TcpStream>,
    host: String,
}

impl HttpConnection {
    pub(crate) fn open(address: SocketAddr) -> Result<HttpConnection> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(limits::ANSWER_TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(HttpConnection { stream: BufReader::new(stream), host: format!("localhost:{}", address.port()) })
    }

    /// Posts a JSON body; returns the response's body. A status other than 200 or 201 is an error.
    pub(crate) fn post(&mut self, path: &str, token: &str, body: &str) -> Result<Vec<u8>> {
        self.send(&format!("POST {path}"), token, body)
    }

    /// Puts a JSON body; returns the response's body. A status other than 200 or 201 is an error.
    pub(crate) fn put(&mut self, path: &str, token: &str, body: &str) -> Result<Vec<u8>> {
        self.send(&format!("PUT {path}"), token, body)
    }

    fn send(&mut self, what: &str, token: &str, body: &str) -> Result<Vec<u8>> {
        let request = format!(
            "{what} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.stream.read_line(&mut head)?;
            ensure!(read > 0, "{what}: the connection ended");
        }
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        let mut answer = vec![0; length.with_context(|| format!("{what}: a response without a length: {head}"))?];
        self.stream.read_exact(&mut answer)?;
        let is_good = ["http/1.1 200", "http/1.1 201"].iter().any(|good| head.starts_with(good));
        ensure!(is_good, "{what}: {head}{}", String::from_utf8_lossy(&answer));
        Ok(answer)
    }
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
    fn a_chunked_body_is_reassembled() {
        assert_eq!(unchunked(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").expect("whole"), b"abcde");
        assert!(unchunked(b"5\r\nabc").is_err(), "a cut answer is no answer");
    }
}
