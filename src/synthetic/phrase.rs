//! Titles, summaries and names, made of the word bank.

use catalogue_schema::Slug;

use super::dice::Dice;
use super::words;

/// The longest part of a slug that comes from a title, in bytes; a number of up to twenty digits follows it.
const LONGEST_STEM: usize = 120;
/// Words that a title leaves small.
const SMALL_WORDS: [&str; 4] = ["and", "for", "in", "the"];
/// The least and the most characters a summary asks for before its last sentence, which has at most 200 itself.
const SUMMARY_LENGTH: (i64, i64) = (200, 700);

/// A programme's title.
pub(super) fn title(dice: &mut Dice) -> String {
    let mut plain = String::with_capacity(96);
    let form = dice.pick(words::TITLES);
    fill(&mut plain, form, dice);
    let mut title = String::with_capacity(plain.len() + 8);
    for word in plain.split(' ') {
        if title.is_empty() || !SMALL_WORDS.contains(&word) {
            push_separated(&mut title, "");
            push_capitalised(&mut title, word);
        } else {
            push_separated(&mut title, word);
        }
    }
    title
}

/// A programme's or a funder's summary, of 200 to 900 characters.
pub(super) fn summary(dice: &mut Dice) -> String {
    let (least, most) = SUMMARY_LENGTH;
    let enough = usize::try_from(dice.between(least, most)).expect("both bounds are small and positive");
    let mut summary = String::with_capacity(enough + 200);
    let mut length = 0;
    while length < enough {
        push_separated(&mut summary, "");
        let start = summary.len();
        let form = dice.pick(words::SENTENCES);
        fill(&mut summary, form, dice);
        length += summary[start..].chars().count() + 1;
    }
    summary
}

/// What an award is for.
pub(super) fn purpose(dice: &mut Dice) -> String {
    let mut purpose = String::new();
    let form = dice.pick(words::PURPOSES);
    fill(&mut purpose, form, dice);
    purpose
}

/// A name of an organisation that ends in one of `ends`.
pub(super) fn organisation(dice: &mut Dice, ends: &[&str]) -> String {
    let begin = if dice.percent(50) { dice.pick(words::NAMES) } else { dice.pick(words::PLACES) };
    let end = dice.pick(ends);
    if dice.percent(40) {
        let mut topic = String::new();
        push_capitalised(&mut topic, dice.skewed::<&str>(words::QUALITIES));
        return format!("{begin} {topic} {end}");
    }
    format!("{begin} {end}")
}

/// A title after it was renamed: with another mark at its end than it had.
pub(super) fn renamed(title: &str, dice: &mut Dice) -> String {
    let worn = words::REVISIONS.iter().position(|mark| title.ends_with(mark));
    let stem = worn.map_or(title, |at| title.trim_end_matches(words::REVISIONS[at]).trim_end());
    let others: Vec<&str> =
        words::REVISIONS.iter().enumerate().filter(|(at, _)| Some(*at) != worn).map(|(_, mark)| *mark).collect();
    format!("{stem} {}", dice.pick(&others))
}

/// A slug made of a text and a number that no other text of its kind has.
pub(super) fn slug(text: &str, number: u64) -> Slug {
    let mut stem = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match unaccented(character) {
            Some(letter) => stem.push(letter),
            None if character == '\'' => {}
            None if stem.is_empty() || stem.ends_with('-') => {}
            None => stem.push('-'),
        }
        if stem.len() >= LONGEST_STEM {
            break;
        }
    }
    let stem = stem.trim_end_matches('-');
    let written = if stem.is_empty() { number.to_string() } else { format!("{stem}-{number}") };
    written.parse().expect("groups of small letters and digits were joined by single hyphens")
}

/// The number at the end of a slug, where it has one of a size that [`slug`] is given.
pub(super) fn number(slug: &Slug) -> Option<u64> {
    const HIGHEST: u64 = 1 << 40;
    slug.as_str().rsplit('-').next()?.parse().ok().filter(|number| *number <= HIGHEST)
}

/// Writes a form of the word bank with every `{slot}` filled, each with another word where the dice are willing.
fn fill(text: &mut String, form: &str, dice: &mut Dice) {
    const TRIES: usize = 4;
    let start = text.len();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('{') {
        let (slot, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let words = words_for(slot);
        let mut word = *dice.skewed(words);
        for _ in 1..TRIES {
            if text[start..].contains(word) {
                word = *dice.skewed(words);
            }
        }
        text.push_str(word);
        rest = after;
    }
    text.push_str(rest);
}

fn words_for(slot: &str) -> &'static [&'static str] {
    match slot {
        "topic" => words::TOPICS,
        "quality" => words::QUALITIES,
        "activity" => words::ACTIVITIES,
        "people" => words::PEOPLE,
        "thing" => words::THINGS,
        "programme" => words::PROGRAMMES,
        "name" => words::NAMES,
        "place" => words::PLACES,
        "round" => &["two", "three", "four", "five"],
        unknown => panic!("the word bank has a form with the slot {unknown}, which no list fills"),
    }
}

fn push_separated(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

fn push_capitalised(text: &mut String, word: &str) {
    let mut characters = word.chars();
    text.extend(characters.next().into_iter().flat_map(char::to_uppercase));
    text.push_str(characters.as_str());
}

/// The small letter or digit a character is in a slug, accents being dropped: those the word bank has.
fn unaccented(character: char) -> Option<char> {
    let letter = match character {
        'a'..='z' | '0'..='9' => character,
        'A'..='Z' => character.to_ascii_lowercase(),
        'á' | 'à' | 'â' | 'ä' | 'ā' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ï' | 'î' => 'i',
        'ó' | 'ô' | 'ö' | 'Ö' => 'o',
        'ú' | 'ü' | 'û' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        _ => return None,
    };
    Some(letter)
}

#[cfg(test)]
mod tests {
    use super::super::dice::Purpose;
    use super::*;

    #[test]
    fn every_form_has_only_slots_that_a_list_fills() {
        let mut dice = Dice::new(1, Purpose::Grant, 0, 0);
        for form in [words::TITLES, words::SENTENCES, words::PURPOSES].concat() {
            let mut text = String::new();
            fill(&mut text, form, &mut dice);
            assert!(!text.contains(['{', '}']), "{text}");
        }
    }

    #[test]
    fn summaries_have_200_to_900_characters() {
        for index in 0..2_000 {
            let text = summary(&mut Dice::new(1, Purpose::Grant, index, 0));
            assert!((200..=900).contains(&text.chars().count()), "{text}");
        }
    }

    #[test]
    fn slugs_drop_accents_and_apostrophes_and_end_in_their_number() {
        assert_eq!(
            slug("Café Azul: Farmers' Markets, Round Two", 12).as_str(),
            "cafe-azul-farmers-markets-round-two-12"
        );
        assert_eq!(slug("Öster - Peña", 3).as_str(), "oster-pena-3");
        assert_eq!(slug("—", 3).as_str(), "3");
        assert_eq!(slug(&"long ".repeat(100), u64::MAX).as_str().len(), 140);
        let read = |text: &str| number(&text.parse().expect("a slug"));
        assert_eq!(read("oster-pena-3"), Some(3));
        assert_eq!(read("3"), Some(3));
        assert_eq!(read("oster-pena"), None);
        assert_eq!(read("oster-18446744073709551615"), None);
    }

    #[test]
    fn every_word_of_the_bank_is_spelt_out_in_a_slug() {
        let bank = [words::NAMES, words::PLACES, words::TOPICS, words::QUALITIES, words::PROGRAMMES].concat();
        for text in bank.into_iter().chain(words::RECIPIENT_ENDS.iter().copied()) {
            let letters = text.chars().filter(|character| character.is_alphanumeric()).count();
            let kept = slug(text, 1).as_str().bytes().filter(u8::is_ascii_lowercase).count();
            assert_eq!(kept, letters, "{text}");
        }
    }

    #[test]
    fn a_renamed_title_differs_and_does_not_grow_for_ever() {
        let mut dice = Dice::new(1, Purpose::Move, 0, 0);
        let mut title = "Rural Health Grants".to_owned();
        for _ in 0..20 {
            let next = renamed(&title, &mut dice);
            assert_ne!(next, title);
            assert!(next.starts_with("Rural Health Grants ("), "{next}");
            title = next;
        }
        assert!(title.len() < 45, "{title}");
    }
}
