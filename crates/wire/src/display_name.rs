//! Checks display names. A name may hold no character that is invisible or changes the direction of the text around it,
//! except spaces, and joiners, variation selectors and tags where scripts and emoji need them. Source: `spec/topics.md`
//! section 2; the characters are those of Unicode's Bidi_Control and Default_Ignorable_Code_Point, and blanks that are
//! no spaces.

use core::ops::RangeInclusive;

/// Bidi controls, which change the direction of the characters around them.
const BIDI_CONTROLS: [RangeInclusive<char>; 4] =
    ['\u{61C}'..='\u{61C}', '\u{200E}'..='\u{200F}', '\u{202A}'..='\u{202E}', '\u{2066}'..='\u{2069}'];

/// Characters without a shape: ignorable ones, fillers, line separators, and the empty braille cell.
const INVISIBLE: [RangeInclusive<char>; 17] = [
    '\u{AD}'..='\u{AD}',
    '\u{34F}'..='\u{34F}',
    '\u{115F}'..='\u{1160}',
    '\u{17B4}'..='\u{17B5}',
    '\u{180E}'..='\u{180F}',
    '\u{200B}'..='\u{200B}',
    '\u{2028}'..='\u{2029}',
    '\u{2060}'..='\u{2065}',
    '\u{206A}'..='\u{206F}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{FEFF}'..='\u{FEFF}',
    '\u{FFA0}'..='\u{FFA0}',
    '\u{FFF0}'..='\u{FFFB}',
    '\u{1BCA0}'..='\u{1BCA3}',
    '\u{1D173}'..='\u{1D17A}',
    '\u{E0000}'..='\u{E0FFF}',
];

/// Scripts whose letters change shape at a joiner: Arabic and Syriac with their neighbours, the scripts of India,
/// Sinhala, Myanmar, Khmer and Mongolian, and Arabic presentation forms.
const JOINING_SCRIPTS: [RangeInclusive<char>; 6] = [
    '\u{620}'..='\u{8FF}',
    '\u{900}'..='\u{DFF}',
    '\u{1000}'..='\u{109F}',
    '\u{1780}'..='\u{18AA}',
    '\u{A840}'..='\u{A8FF}',
    '\u{FB50}'..='\u{FDFF}',
];

/// Emoji, and the symbols that have an emoji form.
const EMOJI: [RangeInclusive<char>; 9] = [
    '\u{A9}'..='\u{A9}',
    '\u{AE}'..='\u{AE}',
    '\u{203C}'..='\u{203C}',
    '\u{2049}'..='\u{2049}',
    '\u{2100}'..='\u{2BFF}',
    '\u{3030}'..='\u{3030}',
    '\u{303D}'..='\u{303D}',
    '\u{3297}'..='\u{3299}',
    '\u{1F000}'..='\u{1FAFF}',
];

/// Marks that are drawn on the character before them, and selectors of its variations.
const MARKS: [RangeInclusive<char>; 8] = [
    '\u{300}'..='\u{36F}',
    '\u{483}'..='\u{489}',
    '\u{180B}'..='\u{180D}',
    '\u{1AB0}'..='\u{1AFF}',
    '\u{1DC0}'..='\u{1DFF}',
    '\u{20D0}'..='\u{20FF}',
    '\u{FE00}'..='\u{FE0F}',
    '\u{FE20}'..='\u{FE2F}',
];

/// Han characters, which have variations in Japanese family names.
const HAN: [RangeInclusive<char>; 3] = ['\u{3400}'..='\u{9FFF}', '\u{F900}'..='\u{FAFF}', '\u{20000}'..='\u{323AF}'];

const MONGOLIAN: RangeInclusive<char> = '\u{1800}'..='\u{18AA}';
const BLACK_FLAG: char = '\u{1F3F4}';
const TAGS: RangeInclusive<char> = '\u{E0020}'..='\u{E007F}';

/// Longest run of tags: those of a flag of a part of a country (UTS #51), and their end.
const TAGS_MAX: usize = 7;

/// Bytes above which a name that is not ASCII is refused unchecked: each of its characters would take some ten
/// comparisons.
const CHECKED_BYTES_MAX: usize = 1_024;

/// Whether a name can be shown: it has a visible character, no control character, and none that this module excludes. A
/// name above 1,024 bytes must be ASCII.
pub fn is_display_name(name: &str) -> bool {
    if name.is_ascii() {
        return name.bytes().all(|byte| !byte.is_ascii_control()) && name.bytes().any(|byte| byte != b' ');
    }
    if name.len() > CHECKED_BYTES_MAX {
        return false;
    }
    let (mut before, mut tags, mut has_visible) = (None, 0, false);
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        tags = if TAGS.contains(&character) { tags + 1 } else { 0 };
        if tags > TAGS_MAX || !is_allowed(character, before, characters.peek().copied()) {
            return false;
        }
        has_visible |= is_visible(character);
        before = Some(character);
    }
    has_visible
}

fn is_in(ranges: &[RangeInclusive<char>], character: char) -> bool {
    ranges.iter().any(|range| range.contains(&character))
}

fn is_visible(character: char) -> bool {
    let hidden: [&[RangeInclusive<char>]; 3] = [&BIDI_CONTROLS, &INVISIBLE, &MARKS];
    let is_joiner = ('\u{200C}'..='\u{200D}').contains(&character);
    let is_blank = character.is_whitespace() || character.is_control() || is_joiner;
    !is_blank && !hidden.iter().any(|ranges| is_in(ranges, character))
}

/// Whether a character is allowed between the characters `before` and `after`.
fn is_allowed(character: char, before: Option<char>, after: Option<char>) -> bool {
    let is_before = |ranges: &[RangeInclusive<char>]| before.is_some_and(|before| is_in(ranges, before));
    let is_after = |ranges: &[RangeInclusive<char>]| after.is_some_and(|after| is_in(ranges, after));
    let is_emoji_before = || is_before(&EMOJI) || before == Some('\u{FE0F}');
    match character {
        // Zero-width non-joiner and joiner.
        '\u{200C}' => is_before(&JOINING_SCRIPTS) && is_after(&JOINING_SCRIPTS),
        '\u{200D}' => {
            is_before(&JOINING_SCRIPTS) && is_after(&JOINING_SCRIPTS) || is_emoji_before() && is_after(&EMOJI)
        }
        // Forms as text and as emoji, also of the keys of a telephone.
        '\u{FE0E}'..='\u{FE0F}' => {
            is_before(&EMOJI) || before.is_some_and(|key| key.is_ascii_digit() || ['#', '*'].contains(&key))
        }
        '\u{FE00}'..='\u{FE0D}' | '\u{E0100}'..='\u{E01EF}' => is_before(&HAN),
        '\u{180B}'..='\u{180D}' => before.is_some_and(|letter| MONGOLIAN.contains(&letter)),
        tag if TAGS.contains(&tag) => before.is_some_and(|mark| mark == BLACK_FLAG || TAGS.contains(&mark)),
        other => !other.is_control() && !is_in(&BIDI_CONTROLS, other) && !is_in(&INVISIBLE, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_many_scripts_and_with_emoji_are_valid() {
        for name in [
            "Ada",
            "José-María O’Neill",
            "李小龍",
            "葛\u{E0100}城",
            "محمد",
            "علی\u{200C}رضا",
            "क्\u{200D}ष",
            "👩\u{200D}👩\u{200D}👧 family",
            "👩🏽\u{200D}🚀",
            "🏳\u{FE0F}\u{200D}🌈",
            "❤\u{FE0F}",
            "1\u{FE0F}\u{20E3}",
            "🇩🇪",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "ẽ\u{301}",
            "ᠮᠣ\u{180B}ᠩ",
        ] {
            assert!(is_display_name(name), "{name:?}");
        }
    }

    #[test]
    fn names_with_invisible_or_bidi_control_characters_are_refused() {
        for name in [
            "",
            " ",
            "\u{3000}",
            "\u{200B}",
            "\u{180B}",
            "\u{3164}",
            "\u{2800}\u{2800}",
            "\u{301}",
            "adm\u{200B}in",
            "adm\u{200D}in",
            "adm\u{200C}in",
            "adm\u{180B}in",
            "adm\u{FE0E}in",
            "adm\u{AD}in",
            "か\u{200D}な",
            "علی\u{200D}",
            "a\u{202E}nimda",
            "\u{2066}a",
            "a\u{200F}",
            "a\u{E0041}",
            "a\u{E0100}",
            "a\nb",
            "\u{FE0F}a",
            "\u{200D}👩",
        ] {
            assert!(!is_display_name(name), "{name:?}");
        }
        assert!(!is_display_name(&alloc::format!("🏴{}", "\u{E0067}".repeat(TAGS_MAX + 1))), "endless tags");
        let long = "é".repeat(CHECKED_BYTES_MAX / 2);
        assert!(is_display_name(&long) && !is_display_name(&alloc::format!("{long}é")));
    }
}
