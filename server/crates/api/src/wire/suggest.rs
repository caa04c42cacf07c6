//! "Did you mean": the nearest of the known names.

/// A name longer than this is not compared or repeated: it is no slip of the hand, and it may be the whole body.
const NAME_BYTES_MAX: usize = 64;

/// The place of `name` among `names`. `guess` is looked at first: members mostly come in the declared order.
pub(super) fn known_name(names: &[&str], name: &str, guess: usize) -> Option<usize> {
    if names.get(guess).is_some_and(|known| *known == name) {
        return Some(guess);
    }
    names.iter().position(|known| *known == name)
}

/// The expected names where an unknown field stood: the nearest known one, else the list of them.
pub(super) fn known_field(names: &[&str], name: &str) -> String {
    match nearest(names, name) {
        Some(meant) => format!("a known field (did you mean `{meant}`?)"),
        None if names.is_empty() => "no field at all".to_owned(),
        None => format!("one of {}", listed(names)),
    }
}

/// The expected names where an unknown name stood: the list of the known ones, and the nearest of them.
pub(super) fn one_of(names: &[&str], name: &str) -> String {
    match nearest(names, name) {
        Some(meant) => format!("one of {} (did you mean `{meant}`?)", listed(names)),
        None => format!("one of {}", listed(names)),
    }
}

/// The name as it may be repeated in a message: bounded, and without the sign that ends a path.
pub(super) fn shown(name: &str) -> String {
    let cut = name.floor_char_boundary(NAME_BYTES_MAX);
    let mut shown = name[..cut].replace('`', "'");
    if cut < name.len() {
        shown.push('…');
    }
    shown
}

fn nearest<'n>(names: &[&'n str], name: &str) -> Option<&'n str> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let name = name.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&name, &known.to_lowercase());
    let (best, known) = names.iter().map(|known| (distance(known), *known)).min_by_key(|(distance, _)| *distance)?;
    // At most 0.45 of the longer name may differ, in integers.
    (best * 100 <= known.len().max(name.len()) * 45).then_some(known)
}

fn listed(names: &[&str]) -> String {
    const SHOWN_MAX: usize = 16;
    let mut listed = names.iter().take(SHOWN_MAX).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN_MAX {
        listed.push_str(", …");
    }
    listed
}
