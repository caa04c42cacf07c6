//! Marks: members that only this format needs to write an item as it was, and that nobody misses elsewhere.

use serde_json::value::RawValue;

use super::super::UnknownMember;

/// Before the names of members of a message that is kept in one block of it.
const OF_MESSAGE: &str = "message.";

/// A text as a mark.
pub fn text(name: &str, value: &str) -> UnknownMember {
    let value = serde_json::value::to_raw_value(value).expect("a text is always JSON");
    UnknownMember { at: String::new(), name: name.to_owned(), value }
}

/// A value as a mark.
pub fn raw(name: &str, value: &RawValue) -> UnknownMember {
    UnknownMember { at: String::new(), name: name.to_owned(), value: value.to_owned() }
}

/// Makes marks of the members that go by one of `names`, and of every empty list: nothing is lost with it.
pub fn quiet(mut extras: Vec<UnknownMember>, names: &[&str]) -> Vec<UnknownMember> {
    for extra in &mut extras {
        if names.contains(&extra.name.as_str()) || extra.value.get() == "[]" {
            extra.at.clear();
        }
    }
    extras
}

/// True if there is a mark of that name and text.
pub fn is(extras: &[UnknownMember], name: &str, value: &str) -> bool {
    word(extras, name).as_deref() == Some(value)
}

/// The text of a mark.
pub fn word(extras: &[UnknownMember], name: &str) -> Option<String> {
    find(extras, name).and_then(|value| serde_json::from_str(value.get()).ok())
}

/// The value of a mark.
pub fn find<'e>(extras: &'e [UnknownMember], name: &str) -> Option<&'e RawValue> {
    extras.iter().find(|extra| extra.at.is_empty() && extra.name == name).map(|extra| &*extra.value)
}

/// A member of a message as a member of its first block.
pub fn onto_block(mut extra: UnknownMember) -> UnknownMember {
    extra.name.insert_str(0, OF_MESSAGE);
    extra
}

/// The name within its message, where a block's member is one of a message.
pub fn of_message(extra: &UnknownMember) -> Option<&str> {
    extra.name.strip_prefix(OF_MESSAGE)
}
