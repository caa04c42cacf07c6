//! The remedies of alarms, out of the operators' guide, which has a line for each.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const GUIDE: &str = include_str!("../../../../guides/operators.md");

/// The remedy of each alarm, by its code.
static REMEDIES: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let section = GUIDE.split_once("\n## Alarms\n").map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or(""));
    section.lines().filter_map(row).collect()
});

/// The remedy of an alarm of this code. `None` where the guide does not have it.
pub(super) fn remedy(alarm: &str) -> Option<String> {
    REMEDIES.get(alarm).cloned()
}

/// The code and the remedy of a row of the guide's table.
fn row(line: &str) -> Option<(&str, String)> {
    let mut cells = line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ");
    let (alarm, _, remedy) = (cells.next()?.strip_suffix('`')?, cells.next()?, cells.next()?);
    Some((alarm, without_links(remedy)))
}

/// The text with the words of links in their place.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some(((words, _), after)) =
            link.split_once(')').and_then(|(link, after)| Some((link.split_once("](")?, after)))
        else {
            break;
        };
        plain.push_str(before);
        plain.push_str(words);
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_says_what_to_do() {
        assert_eq!(remedy("cap_passed").as_deref(), Some("Tell the owner of the agent."));
        assert_eq!(remedy("reconciliation").as_deref(), Some("The line says what to do; see reconciliation."));
        assert!(REMEDIES.len() > 15 && remedy("alarm").is_none());
        assert!(REMEDIES.values().all(|remedy| !remedy.is_empty() && !remedy.contains("](")));
    }
}
