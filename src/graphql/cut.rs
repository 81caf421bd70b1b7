//! JSON cut into its pieces without being read: where the fields of an object and the elements of a list begin and end.
//!
//! Rows were written by this service and compared with their check sums before they were published, so they are taken to be JSON without
//! blanks. Of bytes that are not, the pieces are wrong, but still pieces of these bytes.

/// The fields of an object: names without their quotation marks, and values as they are written.
pub(super) fn fields(object: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = object.strip_prefix(b"{").unwrap_or_default();
    std::iter::from_fn(move || {
        let name = rest.strip_prefix(b",").unwrap_or(rest).strip_prefix(b"\"")?;
        let (name, value) = name.split_at_checked(memchr::memchr(b'"', name)?)?;
        let value = value.strip_prefix(b"\":")?;
        let (value, after) = value.split_at_checked(end_of_value(value))?;
        rest = after;
        Some((name, value))
    })
}

/// A field of an object, as it is written; `null` where it has none of that name.
pub(super) fn value<'o>(object: &'o [u8], name: &str) -> &'o [u8] {
    fields(object).find(|(field, _)| *field == name.as_bytes()).map_or(b"null", |(_, value)| value)
}

/// A text that needs no escaping, such as a slug, at a path of fields.
pub(super) fn text<'o>(object: &'o [u8], path: &[&str]) -> Option<&'o str> {
    let value = path.iter().fold(object, |object, name| value(object, name));
    std::str::from_utf8(value.strip_prefix(b"\"")?.strip_suffix(b"\"")?).ok()
}

/// The elements of a list, as they are written.
pub(super) fn elements(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = list.strip_prefix(b"[").unwrap_or_default();
    std::iter::from_fn(move || {
        let element = rest.strip_prefix(b",").unwrap_or(rest);
        let (element, after) =
            element.split_at_checked(end_of_value(element)).filter(|(element, _)| !element.is_empty())?;
        rest = after;
        Some(element)
    })
}

/// How long the value is that stands first.
fn end_of_value(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_text(bytes, at + 1);
                if depth == 0 {
                    return at.min(bytes.len());
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b',' if depth == 0 => return at,
            b'}' | b']' => match depth {
                0 => return at,
                1 => return at + 1,
                _ => depth -= 1,
            },
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Where a text ends, behind its quotation mark, that goes on at `at`.
fn end_of_text(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found + 1;
        if bytes.get(at - 1) == Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn an_object_comes_apart_at_its_own_commas() {
        let object = br#"{"a":"x,\"}\\","b":[1,{"c":"]"},[]],"d":null,"e":-1.5,"f":{"g":{}},"h":true}"#;
        let found: Vec<_> = fields(object).map(|(name, value)| (text(name), text(value))).collect();
        let expected = [
            ("a", r#""x,\"}\\""#),
            ("b", r#"[1,{"c":"]"},[]]"#),
            ("d", "null"),
            ("e", "-1.5"),
            ("f", r#"{"g":{}}"#),
            ("h", "true"),
        ];
        assert_eq!(found, expected);
        assert_eq!(fields(b"{}").count(), 0);
        let list = br#"["a,b",{"c":[1,2]},[],3]"#;
        assert_eq!(elements(list).map(text).collect::<Vec<_>>(), [r#""a,b""#, r#"{"c":[1,2]}"#, "[]", "3"]);
        assert_eq!(elements(b"[]").count(), 0);
        assert_eq!(text(value(object, "d")), "null");
        assert_eq!(super::text(br#"{"funder":{"slug":"a-1"},"x":1}"#, &["funder", "slug"]), Some("a-1"));
        assert_eq!(super::text(br#"{"funder":null}"#, &["funder", "slug"]), None);
    }

    proptest::proptest! {
        #[test]
        fn every_object_comes_apart_into_what_it_was_made_of(keys: Vec<String>, values: Vec<(String, i64, Option<bool>)>) {
            let made: serde_json::Map<String, serde_json::Value> = keys
                .iter()
                .zip(&values)
                .filter(|(key, _)| !key.contains(['"', '\\']) && key.chars().all(|character| !character.is_control()))
                .map(|(key, value)| (key.clone(), serde_json::json!([value, {"inner": value.0}])))
                .collect();
            let json = serde_json::to_vec(&made).expect("JSON");
            let found: serde_json::Map<String, serde_json::Value> = fields(&json)
                .map(|(name, value)| (text(name).to_owned(), serde_json::from_slice(value).expect("a value")))
                .collect();
            proptest::prop_assert_eq!(found, made);
        }

        #[test]
        fn no_bytes_make_it_panic_or_go_on_for_ever(bytes: Vec<u8>) {
            let _ = (fields(&bytes).count(), elements(&bytes).count());
        }
    }
}
