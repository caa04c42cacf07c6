//! The trace that a client says it is in.

use http::{HeaderMap, HeaderName};
use opentelemetry::trace::{Link, SpanContext, SpanId, TraceFlags, TraceId, TraceState};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Link of a W3C `traceparent` header: `00-` trace `-` span `-` flags, in lower case. Fields that a later version appends are
/// ignored.
pub(super) fn linked(headers: &HeaderMap) -> Option<Link> {
    let text = headers.get(TRACEPARENT)?.to_str().ok()?;
    let mut parts = text.split('-');
    let mut next = |length: usize| parts.next().filter(|part| part.len() == length && part.bytes().all(is_lower_hex));
    let (version, trace, span, flags) = (next(2)?, next(32)?, next(16)?, next(2)?);
    if version == "ff" || (version == "00" && parts.next().is_some()) {
        return None;
    }
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?);
    let context = SpanContext::new(trace, span, flags, true, TraceState::default());
    context.is_valid().then(|| Link::new(context, Vec::new(), 0))
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    fn read(text: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(TRACEPARENT, text.parse().unwrap())]);
        linked(&headers).map(|link| format!("{} {}", link.span_context.trace_id(), link.span_context.span_id()))
    }

    #[test]
    fn a_header_of_the_w3c_is_read_and_no_other() {
        let known = Some(format!("{TRACE} {SPAN}"));
        assert_eq!(read(&format!("00-{TRACE}-{SPAN}-01")), known);
        assert_eq!(read(&format!("cc-{TRACE}-{SPAN}-00-later")), known);
        for wrong in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-+{}-{SPAN}-01", &TRACE[1..]),
        ] {
            assert_eq!(read(&wrong), None, "{wrong}");
        }
        assert!(linked(&HeaderMap::new()).is_none());
    }
}
