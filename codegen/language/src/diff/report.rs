//! Changes as people, changelogs and programs read them.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use super::change::{ChangePlace, SpecChange};
use super::{AcceptedChange, BrokenSide, ChangeAudience, ChangeClass, ReviewedChanges, TABLES};

/// The names of the two sides: a revision, a folder.
#[derive(Debug, Clone, Copy)]
pub struct SideNames<'n> {
    /// The old one.
    pub old: &'n str,
    /// The new one.
    pub new: &'n str,
}

/// The most operations that are named; the rest is counted.
const THROUGH_MAX: usize = 6;

/// Changes for a terminal.
#[must_use]
pub fn text(judged: &ReviewedChanges, names: SideNames<'_>) -> String {
    let mut text = String::new();
    for (finding, accepted) in &judged.findings {
        // Writing to a text cannot fail.
        let _ = one(&mut text, finding, accepted.as_deref(), names);
    }
    for AcceptedChange { class, subject, at, .. } in &judged.stale {
        let _ = writeln!(text, "stale: {at} accepts {class} of {subject}, which did not happen; take it out\n");
    }
    text.push_str(&summary(judged, names));
    text.push('\n');
    text
}

fn one(text: &mut String, finding: &SpecChange, accepted: Option<&str>, names: SideNames<'_>) -> fmt::Result {
    let class = finding.class;
    let verdict = match (class.is_breaking(), accepted) {
        (false, _) => "compatible",
        (true, Some(_)) => "accepted",
        (true, None) => "breaking",
    };
    writeln!(text, "{verdict}[{}] {}: {}", class.id, whom(class), finding.says)?;
    writeln!(text, "  --> {}  ({})", finding.old, names.old)?;
    writeln!(text, "  ==> {}  ({})", finding.new, names.new)?;
    if !finding.through.is_empty() {
        writeln!(text, "  through {}", through(finding))?;
    }
    match accepted {
        Some(reason) => writeln!(text, "  accepted: {reason}")?,
        None if class.is_breaking() => {
            writeln!(text, "  to accept: changes: {{{}: {{{}: why}}}}", class.id, finding.subject)?;
        }
        None => {}
    }
    writeln!(text)
}

fn through(finding: &SpecChange) -> String {
    let mut named: Vec<String> = finding.through.iter().take(THROUGH_MAX).cloned().collect();
    let more = finding.through.len() - named.len();
    if more > 0 {
        named.push(format!("{more} more"));
    }
    named.join(", ")
}

/// The party that a class is about, in words.
fn whom(class: &ChangeClass) -> &'static str {
    match (class.audience, class.breaks) {
        (ChangeAudience::Wire, BrokenSide::Sent) => "on the wire, for who sends",
        (ChangeAudience::Wire, BrokenSide::Received) => "on the wire, for who receives",
        (ChangeAudience::Wire, _) => "on the wire",
        (ChangeAudience::Source, _) => "in source",
        (ChangeAudience::Stored, _) => "in what is stored",
    }
}

fn summary(judged: &ReviewedChanges, names: SideNames<'_>) -> String {
    let breaking = judged.findings.iter().filter(|(finding, _)| finding.class.is_breaking()).count();
    let stale = match judged.stale.len() {
        0 => String::new(),
        count => format!("; {count} stale acceptances"),
    };
    format!(
        "{} changes from {} to {}: {} break somebody, {} of them accepted{stale}",
        judged.findings.len(),
        names.old,
        names.new,
        breaking,
        breaking - judged.refused(),
    )
}

/// Changes for a changelog.
#[must_use]
pub fn markdown(judged: &ReviewedChanges, names: SideNames<'_>) -> String {
    let mut text = format!("# Changes from {} to {}\n", names.old, names.new);
    let parts = [
        ("Breaking on the wire", true, Some(ChangeAudience::Wire)),
        ("Breaking in source", true, Some(ChangeAudience::Source)),
        ("Breaking in what is stored", true, Some(ChangeAudience::Stored)),
        ("Compatible", false, None),
    ];
    for (title, breaking, audience) in parts {
        let of = |finding: &SpecChange| {
            finding.class.is_breaking() == breaking && audience.is_none_or(|whom| finding.class.audience == whom)
        };
        let mut entries = judged.findings.iter().filter(|(finding, _)| of(finding)).peekable();
        if entries.peek().is_some() {
            let _ = write!(text, "\n## {title}\n\n");
        }
        for (finding, accepted) in entries {
            let _ = write!(
                text,
                "- {} (`{}`, {} → {})",
                capital(&finding.says),
                finding.class.id,
                finding.old,
                finding.new
            );
            let _ = match accepted {
                Some(reason) => writeln!(text, ". Accepted: {reason}"),
                None => writeln!(text),
            };
        }
    }
    if judged.findings.is_empty() {
        text.push_str("\nNone.\n");
    }
    text
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// One change for programs.
#[must_use]
pub fn to_json(finding: &SpecChange, accepted: Option<&str>) -> Value {
    let spot = |spot: &ChangePlace| json!({"file": spot.file, "line": spot.line, "column": spot.column});
    json!({
        "class": finding.class.id,
        "audience": finding.class.audience.to_string(),
        "breaking": finding.class.is_breaking(),
        "breaks_sent": finding.class.breaks_sent(),
        "breaks_received": finding.class.breaks_received(),
        "subject": finding.subject,
        "says": finding.says,
        "old": spot(&finding.old),
        "new": spot(&finding.new),
        "through": finding.through,
        "accepted": accepted,
    })
}

/// The tables of classes, for `codegen diff --classes` and the documentation.
#[must_use]
pub fn reference() -> String {
    let mut text = String::from(
        "# Classes of change\n\n\
         What `cargo codegen diff` tells of two specs. A class has an audience: the **wire** is clients that run, **source** \
         is clients that are built anew, **stored** is rows and configuration. A change breaks what clients *send*, what \
         they *receive*, or what was *kept*.\n",
    );
    for (title, table) in TABLES {
        let _ = write!(
            text,
            "\n## {}\n\n| class | audience | send | receive | kept | says |\n|--|--|--|--|--|--|\n",
            capital(title)
        );
        for class in table {
            let verdict = |breaks: bool| if breaks { "breaks" } else { "" };
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {} |",
                class.id,
                class.audience,
                verdict(class.breaks_sent()),
                verdict(class.breaks_received()),
                verdict(class.breaks == BrokenSide::Kept),
                class.says.replace('|', "\\|"),
            );
        }
    }
    text
}

impl fmt::Display for ChangePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
