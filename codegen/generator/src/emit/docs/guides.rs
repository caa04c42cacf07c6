//! The guides of the project, written in Markdown for readers of its files, as pages beside those of the spec.

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Tag, TagEnd, html};

use super::code::{self, HighlightLanguage};
use super::guide_headings::{anchor, events, page_name, text_of};
use super::markup::escaped;
use super::site::{DocsPage, HOME, STATES};
use crate::parse::GuideText;

/// The page as HTML.
pub(super) fn content(page: &DocsPage<'_, '_>, guide: &GuideText) -> String {
    let mut shown = Vec::new();
    let mut events = events(guide);
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inside: Vec<Event<'_>> =
                    events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
                let text: String = inside.iter().filter_map(text_of).collect();
                let anchor = anchor(&text);
                shown.push(Event::Html(format!("<{level} id=\"{anchor}\">").into()));
                shown.extend(inside);
                let link =
                    format!("<a class=\"anchor\" href=\"#{anchor}\" aria-label=\"Link to {}\">#</a>", escaped(&text));
                shown.push(Event::Html(format!("{link}</{level}>\n").into()));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let inside: String = events
                    .by_ref()
                    .take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)))
                    .filter_map(|event| text_of(&event).map(str::to_owned))
                    .collect();
                shown.push(Event::Html(code_block(&kind, &inside).into()));
            }
            // Aligned columns would be styles within the page, which its policy forbids.
            Event::Start(Tag::Table(columns)) => {
                shown.push(Event::Html("<div class=\"table\" tabindex=\"0\">".into()));
                shown.push(Event::Start(Tag::Table(vec![Alignment::None; columns.len()])));
            }
            Event::End(TagEnd::Table) => {
                shown.push(Event::End(TagEnd::Table));
                shown.push(Event::Html("</div>\n".into()));
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let inside = events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Image)));
                let words: String = inside.filter_map(|event| text_of(&event).map(str::to_owned)).collect();
                shown.push(picture(guide, &dest_url, &words));
            }
            Event::Start(Tag::Link { dest_url, link_type, title, id }) => match target(page, &dest_url) {
                Some(href) => shown.push(Event::Start(Tag::Link { link_type, dest_url: href.into(), title, id })),
                None => {
                    // What is not on these pages is named and not linked.
                    let named = events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Link)));
                    shown.extend(named);
                }
            },
            other => shown.push(other),
        }
    }
    let mut written = String::with_capacity(guide.text.len() * 2);
    html::push_html(&mut written, shown.into_iter());
    format!("<div class=\"guide\">\n{written}</div>\n")
}

/// The picture of the guide, within the page, which loads none. Another is told by its words alone.
fn picture<'e>(guide: &GuideText, link: &str, words: &str) -> Event<'e> {
    match &guide.picture {
        Some(picture) if link.strip_suffix(".svg") == Some(&guide.name) => {
            let label = escaped(words);
            Event::Html(format!("<span class=\"picture\" role=\"img\" aria-label=\"{label}\">{picture}</span>").into())
        }
        _ => Event::Text(words.to_owned().into()),
    }
}

fn code_block(kind: &CodeBlockKind<'_>, text: &str) -> String {
    let lang = match kind {
        CodeBlockKind::Fenced(name) => match &**name {
            "sh" => Some(HighlightLanguage::Shell),
            "json" => Some(HighlightLanguage::Json),
            "js" | "ts" => Some(HighlightLanguage::Typescript),
            "python" => Some(HighlightLanguage::Python),
            _ => None,
        },
        CodeBlockKind::Indented => None,
    };
    let shown = lang.map_or_else(|| escaped(text.trim_end()), |lang| code::html(text, lang));
    format!("<figure class=\"code\"><pre tabindex=\"0\"><code>{shown}</code></pre></figure>\n")
}

/// The page to which a link within the guides leads; `None` if it leads to no page.
fn target(page: &DocsPage<'_, '_>, link: &CowStr<'_>) -> Option<String> {
    if link.starts_with("https://") {
        return Some(link.to_string());
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    if file.is_empty() {
        return Some(format!("#{heading}"));
    }
    let name = file.rsplit('/').next()?.strip_suffix(".md")?;
    if let Some(guide) = page.site.lowered.guides.iter().find(|guide| guide.name == name) {
        return Some(page.href(&page_name(guide), heading));
    }
    match name {
        "reference" => Some(in_reference(page, heading)),
        "states" => Some(page.href(STATES, heading)),
        _ => None,
    }
}

/// The page that tells what the reference tells under a heading.
fn in_reference(page: &DocsPage<'_, '_>, heading: &str) -> String {
    let site = page.site;
    if site.pages().iter().any(|(name, _)| name == heading) {
        return page.href(heading, "");
    }
    let of_type = site.document.types.keys().find(|name| name.to_lowercase() == heading);
    let place = of_type.and_then(|name| site.place(name).map(|(home, _)| page.href(home, name)));
    place.unwrap_or_else(|| page.href(HOME, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_of_a_guide_is_within_its_page_and_another_is_words() {
        let told = |svg: Option<&str>, link| {
            let (name, svg) = ("speed".to_owned(), svg.map(str::to_owned));
            match picture(&GuideText { name, text: String::new(), picture: svg }, link, "a < b") {
                Event::Html(text) | Event::Text(text) => text.into_string(),
                other => panic!("{other:?}"),
            }
        };
        let shown = "<span class=\"picture\" role=\"img\" aria-label=\"a &lt; b\"><svg/></span>";
        assert_eq!(told(Some("<svg/>"), "speed.svg"), shown);
        for (svg, link) in
            [(None, "speed.svg"), (Some("<svg/>"), "other.svg"), (Some("<svg/>"), "https://a.example/speed.svg")]
        {
            assert_eq!(told(svg, link), "a < b");
        }
    }
}
