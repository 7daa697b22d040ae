//! Mutates inputs slightly, on a stable compiler; libFuzzer does it better.

use fastrand::Rng;

/// Tokens of the parsed languages.
const WORDS: [&str; 24] = [
    "/",
    "..",
    "//",
    "#",
    "+",
    "$",
    "realm/s/",
    "public/lobby/",
    "/o/",
    "\n",
    "{",
    "}",
    "[",
    "\"",
    "null",
    "1e999",
    "-0",
    "\\u0000",
    "GOOD",
    ".",
    "users/",
    "scenes/",
    "\u{0}",
    "\u{feff}",
];
const BYTES: [u8; 9] = [0, 1, 0x7f, 0x80, 0xc0, 0xff, 0x10, 0x30, 0x82];

/// Applies one to eight small changes to `input`, some of them with parts of `other`.
pub fn mutated(input: &[u8], other: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..random.usize(1..=8) {
        let at = random.usize(0..=bytes.len());
        match random.u8(0..8) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.u8(0..8),
            2 if at < bytes.len() => bytes[at] = BYTES[random.usize(0..BYTES.len())],
            3 if at < bytes.len() => drop(bytes.remove(at)),
            4 => insert(&mut bytes, at, WORDS[random.usize(0..WORDS.len())].as_bytes()),
            5 => {
                let piece = piece_of(other, random).to_vec();
                insert(&mut bytes, at, &piece);
            }
            6 => {
                let piece = piece_of(&bytes, random).to_vec();
                (0..random.usize(1..=4)).for_each(|_| insert(&mut bytes, at, &piece));
            }
            _ => insert(&mut bytes, at, &[random.u8(..)]),
        }
        bytes.truncate(64 * 1_024);
    }
    bytes
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

fn piece_of<'a>(bytes: &'a [u8], random: &mut Rng) -> &'a [u8] {
    let first = random.usize(0..=bytes.len());
    let last = random.usize(first..=bytes.len().min(first + 64));
    &bytes[first..last]
}
