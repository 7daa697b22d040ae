//! Display names: text that shows what it is. A name may hold no character that hides itself or turns others around,
//! except joiners where scripts and emoji need them. Source: `spec/topics.md` section 2; the characters are those of
//! Unicode 17's Default_Ignorable_Code_Point and Bidi_Control.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// Bidi controls, which turn the characters around them.
const BIDI_CONTROLS: [RangeInclusive<char>; 4] =
    ['\u{61C}'..='\u{61C}', '\u{200E}'..='\u{200F}', '\u{202A}'..='\u{202E}', '\u{2066}'..='\u{2069}'];

/// Characters without a shape: ignorable ones, fillers, line separators, and the empty braille cell.
const INVISIBLE: [RangeInclusive<char>; 17] = [
    '\u{AD}'..='\u{AD}',
    '\u{34F}'..='\u{34F}',
    '\u{115F}'..='\u{1160}',
    '\u{17B4}'..='\u{17B5}',
    '\u{180E}'..='\u{180E}',
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

/// Scripts whose letters change shape at a joiner: Arabic and Syriac with their neighbours, the scripts of India, Sinhala,
/// Myanmar, Khmer and Mongolian, and Arabic presentation forms.
const JOINING_SCRIPTS: [RangeInclusive<char>; 6] = [
    '\u{600}'..='\u{8FF}',
    '\u{900}'..='\u{DFF}',
    '\u{1000}'..='\u{109F}',
    '\u{1780}'..='\u{18AF}',
    '\u{A840}'..='\u{A8FF}',
    '\u{FB50}'..='\u{FDFF}',
];

/// Emoji, and the symbols that have an emoji form.
const EMOJI: [RangeInclusive<char>; 5] = [
    '\u{A9}'..='\u{AE}',
    '\u{203C}'..='\u{3299}',
    '\u{FE0F}'..='\u{FE0F}',
    '\u{1F000}'..='\u{1FAFF}',
    '\u{20E3}'..='\u{20E3}',
];

/// Marks that are drawn on the character before them.
const MARKS: [RangeInclusive<char>; 7] = [
    '\u{300}'..='\u{36F}',
    '\u{483}'..='\u{489}',
    '\u{1AB0}'..='\u{1AFF}',
    '\u{1DC0}'..='\u{1DFF}',
    '\u{20D0}'..='\u{20FF}',
    '\u{FE00}'..='\u{FE0F}',
    '\u{FE20}'..='\u{FE2F}',
];

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';
const BLACK_FLAG: char = '\u{1F3F4}';
const TAGS: RangeInclusive<char> = '\u{E0020}'..='\u{E007F}';
const VARIATIONS: RangeInclusive<char> = '\u{FE00}'..='\u{FE0F}';
/// Variations of Han characters, as Japanese family names use them.
const HAN_VARIATIONS: RangeInclusive<char> = '\u{E0100}'..='\u{E01EF}';
const HAN: RangeInclusive<char> = '\u{3400}'..='\u{9FFF}';
const HAN_SUPPLEMENT: RangeInclusive<char> = '\u{20000}'..='\u{323AF}';

/// Whether a name can be shown: it has a visible character, and none that hides or turns others.
pub fn is_display_name(name: &str) -> bool {
    let characters: Vec<char> = name.chars().collect();
    characters.iter().any(|character| is_visible(*character))
        && (0..characters.len()).all(|index| is_allowed(&characters, index))
}

fn is_in(ranges: &[RangeInclusive<char>], character: char) -> bool {
    ranges.iter().any(|range| range.contains(&character))
}

fn is_visible(character: char) -> bool {
    let is_joiner = [ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER].contains(&character);
    !character.is_whitespace()
        && !character.is_control()
        && !is_joiner
        && !is_in(&BIDI_CONTROLS, character)
        && !is_in(&INVISIBLE, character)
        && !is_in(&MARKS, character)
}

/// Whether the character at an index may stand there.
fn is_allowed(characters: &[char], index: usize) -> bool {
    let (before, after) = (index.checked_sub(1).map(|at| characters[at]), characters.get(index + 1).copied());
    let is_before = |allowed: &dyn Fn(char) -> bool| before.is_some_and(allowed);
    let is_after = |allowed: &dyn Fn(char) -> bool| after.is_some_and(allowed);
    let joins = |character: char| is_in(&JOINING_SCRIPTS, character);
    let is_emoji = |character: char| is_in(&EMOJI, character);
    match characters[index] {
        ZERO_WIDTH_NON_JOINER => is_before(&joins) && is_after(&joins),
        // An Arabic letter at the end of an abbreviation keeps its joined shape by a joiner after it.
        ZERO_WIDTH_JOINER => is_before(&joins) || is_before(&is_emoji) && is_after(&is_emoji),
        variation if VARIATIONS.contains(&variation) => is_before(&is_visible),
        variation if HAN_VARIATIONS.contains(&variation) => {
            is_before(&|character| HAN.contains(&character) || HAN_SUPPLEMENT.contains(&character))
        }
        tag if TAGS.contains(&tag) => is_before(&|character| character == BLACK_FLAG || TAGS.contains(&character)),
        other => !other.is_control() && !is_in(&BIDI_CONTROLS, other) && !is_in(&INVISIBLE, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_and_emoji_are_shown() {
        for name in [
            "Ada",
            "José-María O’Neill",
            "李小龍",
            "葛󠄀城",
            "محمد",
            "علی\u{200C}رضا",
            "क्\u{200D}ष",
            "👩\u{200D}👩\u{200D}👧 family",
            "❤\u{FE0F}",
            "1\u{FE0F}\u{20E3}",
            "🇩🇪",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "ẽ\u{301}",
            "ᠮᠣᠩᠭᠣᠯ",
        ] {
            assert!(is_display_name(name), "{name:?}");
        }
    }

    #[test]
    fn names_that_hide_or_turn_characters_are_not() {
        for name in [
            "",
            " ",
            "\u{3000}",
            "\u{200B}",
            "\u{3164}",
            "\u{2800}\u{2800}",
            "\u{301}",
            "adm\u{200B}in",
            "adm\u{200D}in",
            "adm\u{200C}in",
            "adm\u{AD}in",
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
    }
}
