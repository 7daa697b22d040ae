//! ChaCha20-Poly1305 for packets and challenge tokens: aws-lc-rs, in place.

use std::fmt;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use stoa_wire::netcode::{self, KEY_BYTES, TAG_BYTES};

/// One key. The caller ensures that no sequence is sealed twice.
pub(super) struct SealingKey(LessSafeKey);

impl fmt::Debug for SealingKey {
    /// Omits the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SealingKey")
    }
}

impl SealingKey {
    pub(super) fn new(bytes: &[u8; KEY_BYTES]) -> SealingKey {
        let key = UnboundKey::new(&CHACHA20_POLY1305, bytes).expect("any 32 bytes are a key of this cipher");
        SealingKey(LessSafeKey::new(key))
    }

    /// Seals in place and returns the tag, which follows the content.
    pub(super) fn seal(&self, sequence: u64, associated: &[u8], content: &mut [u8]) -> [u8; TAG_BYTES] {
        let tag = self
            .0
            .seal_in_place_separate_tag(nonce(sequence), Aad::from(associated), content)
            .expect("a packet is far below the limit of one nonce");
        *tag.as_ref().first_chunk().expect("this cipher's tags have 16 bytes")
    }

    /// Opens `sealed`, which ends with the tag, in place. On failure the content of `sealed` is lost.
    pub(super) fn open<'a>(&self, sequence: u64, associated: &[u8], sealed: &'a mut [u8]) -> Option<&'a mut [u8]> {
        let (content, tag) = sealed.split_last_chunk_mut::<TAG_BYTES>()?;
        self.0.open_in_place_separate_tag(nonce(sequence), Aad::from(associated), &tag[..], content).ok()
    }

    /// Whether the first slice can be opened. The second one is scratch memory, at least as long as the sealed content.
    pub(super) fn opens(&self, sequence: u64, associated: &[u8], sealed: (&[u8], &mut [u8])) -> bool {
        let (sealed, scratch) = sealed;
        let Some((content, tag)) = sealed.split_last_chunk::<TAG_BYTES>() else { return false };
        let Some(scratch) = scratch.get_mut(..content.len()) else { return false };
        self.0.open_separate_gather(nonce(sequence), Aad::from(associated), content, tag, scratch).is_ok()
    }
}

fn nonce(sequence: u64) -> Nonce {
    Nonce::assume_unique_for_key(netcode::nonce(sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u8> = hex.bytes().filter(|digit| !digit.is_ascii_whitespace()).collect();
        digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
    }

    #[test]
    fn sealed_content_opens_only_with_its_key_sequence_and_associated_data() {
        let key = SealingKey::new(&[7; KEY_BYTES]);
        let mut sealed = b"forty-two".to_vec();
        let tag = key.seal(300, b"beside", &mut sealed);
        assert_ne!(sealed, b"forty-two");
        sealed.extend_from_slice(&tag);
        let mut scratch = [0; 64];
        assert!(key.opens(300, b"beside", (&sealed, &mut scratch)));
        assert!(!key.opens(301, b"beside", (&sealed, &mut scratch)));
        assert!(!key.opens(300, b"besides", (&sealed, &mut scratch)));
        assert!(!SealingKey::new(&[8; KEY_BYTES]).opens(300, b"beside", (&sealed, &mut scratch)));
        assert!(!key.opens(300, b"beside", (&sealed[..15], &mut scratch)), "shorter than a tag");
        let mut opened = sealed.clone();
        assert_eq!(key.open(300, b"beside", &mut opened).unwrap(), b"forty-two");
        for n in 0..sealed.len() {
            let mut forged = sealed.clone();
            forged[n] ^= 1;
            assert!(key.open(300, b"beside", &mut forged).is_none(), "byte {n}");
        }
        assert!(key.open(300, b"beside", &mut [0; 15]).is_none());
    }

    /// RFC 8439, appendix A.5: its nonce begins with four zeros, as netcode's do.
    #[test]
    fn the_example_of_rfc_8439_opens() {
        let key = bytes("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0");
        let key = SealingKey::new(key.as_slice().try_into().unwrap());
        let sequence = u64::from_le_bytes([1, 2, 3, 4, 5, 6, 7, 8]);
        let mut sealed = bytes(
            "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c8559797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523eaf4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a1049e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709b eead9d67890cbb22392336fea1851f38",
        );
        let opened = key.open(sequence, &bytes("f33388860000000000004e91"), &mut sealed);
        let opened = String::from_utf8_lossy(opened.unwrap()).into_owned();
        assert!(opened.starts_with("Internet-Drafts are draft documents valid for a maximum of six months"));
    }
}
