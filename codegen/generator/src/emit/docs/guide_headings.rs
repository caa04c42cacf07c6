//! The names under which a guide is found: its page, its title, its headings.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::parse::GuideText;

/// The name of a guide's page.
pub(super) fn page_name(guide: &GuideText) -> String {
    format!("guide-{}", guide.name)
}

/// The text of the first heading.
pub(super) fn title(guide: &GuideText) -> String {
    let first = guide.text.lines().find_map(|line| line.strip_prefix("# "));
    first.unwrap_or(&guide.name).trim().replace('`', "")
}

/// The first sentence below the title, without markup.
pub(super) fn summary(guide: &GuideText) -> String {
    let inside = events(guide).skip_while(|event| !matches!(event, Event::Start(Tag::Paragraph)));
    let texts =
        inside.take_while(|event| !matches!(event, Event::End(TagEnd::Paragraph))).filter_map(|event| match event {
            Event::SoftBreak => Some(" ".to_owned()),
            event => text_of(&event).map(str::to_owned),
        });
    let paragraph: String = texts.collect();
    paragraph.split_inclusive(". ").next().unwrap_or_default().trim().to_owned()
}

/// The anchors and texts of the headings of the second level.
pub(super) fn headings(guide: &GuideText) -> Vec<(String, String)> {
    let mut headings = Vec::new();
    let mut under_way: Option<String> = None;
    for event in events(guide) {
        match &event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => under_way = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => headings.extend(under_way.take().map(|text| (anchor(&text), text))),
            event => {
                if let Some((heading, text)) = under_way.as_mut().zip(text_of(event)) {
                    heading.push_str(text);
                }
            }
        }
    }
    headings
}

/// The parts of the text. Markup among them is text, wherever it stands.
pub(super) fn events(guide: &GuideText) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(&guide.text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    })
}

/// The words of a part, if it has any.
pub(super) fn text_of<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

/// The anchor of a heading, as hosts of Markdown make it.
pub(super) fn anchor(heading: &str) -> String {
    let letters = heading.chars().flat_map(char::to_lowercase);
    let kept = letters.filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}
