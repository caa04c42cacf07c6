//! A collector of traces: takes OTLP over HTTP as protobuf, and reads as much of it as tests want to know.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;

use crate::Upstream;
use crate::reply::Reply;

/// A span as it arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// The trace, in hexadecimal.
    pub trace: String,
    /// Its own number, likewise.
    pub id: String,
    /// Its parent's; empty where it has none.
    pub parent: String,
    /// Its name.
    pub name: String,
    /// What is noted, as text.
    pub notes: BTreeMap<String, String>,
    /// The traces that it links to.
    pub links: Vec<String>,
    /// Begin and end in nanoseconds since 1970.
    pub times: [u64; 2],
}

/// The collector.
#[derive(Debug)]
pub struct Collector(pub Upstream);

impl Collector {
    /// Starts one that takes whatever comes.
    pub async fn start() -> Self {
        let server = Upstream::start().await;
        server.on(|_| Reply::raw(200, "application/x-protobuf", Vec::new()));
        Self(server)
    }

    /// What a server is told of it.
    #[must_use]
    pub fn config(&self, ratio: &str) -> String {
        format!("[telemetry]\ntraces = \"{}/traces\"\ntraces_ratio = \"{ratio}\"\n", self.0.base_url())
    }

    /// All bytes that came since the last call.
    #[must_use]
    pub fn take_bytes(&self) -> Vec<u8> {
        self.0.take_received().into_iter().flat_map(|request| request.body).collect()
    }

    /// The spans that came since the last call.
    ///
    /// # Panics
    /// When something came that is none.
    #[must_use]
    pub fn take(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for request in self.0.take_received() {
            assert_eq!(request.header("content-type"), Some("application/x-protobuf"));
            // Of resources, of scopes, spans.
            for resource in fields(&request.body).into_iter().filter(|field| field.number == 1) {
                for scope in fields(resource.bytes).into_iter().filter(|field| field.number == 2) {
                    spans.extend(fields(scope.bytes).into_iter().filter(|field| field.number == 2).map(span));
                }
            }
        }
        spans
    }
}

fn span(field: Field<'_>) -> Span {
    let mut span = Span::default();
    for field in fields(field.bytes) {
        match field.number {
            1 => span.trace = HEXLOWER.encode(field.bytes),
            2 => span.id = HEXLOWER.encode(field.bytes),
            4 => span.parent = HEXLOWER.encode(field.bytes),
            5 => span.name = text(field.bytes),
            7 => span.times[0] = field.value,
            8 => span.times[1] = field.value,
            9 => span.notes.extend([note(field.bytes)]),
            13 => span.links.extend(fields(field.bytes).first().map(|trace| HEXLOWER.encode(trace.bytes))),
            _ => {}
        }
    }
    span
}

fn note(bytes: &[u8]) -> (String, String) {
    let [name, value] = fields(bytes)[..] else { panic!("a name and a value") };
    let value = fields(value.bytes)[0];
    (text(name.bytes), if value.number == 1 { text(value.bytes) } else { value.value.to_string() })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// A field of a protobuf message: its bytes, or its number.
#[derive(Debug, Clone, Copy)]
struct Field<'b> {
    number: u64,
    bytes: &'b [u8],
    value: u64,
}

fn fields(mut rest: &[u8]) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let tag = varint(&mut rest);
        let (bytes, value): (&[u8], u64) = match tag & 7 {
            0 => (&[], varint(&mut rest)),
            1 => (&[], u64::from_le_bytes(take(&mut rest, 8).try_into().expect("eight bytes"))),
            2 => {
                let length = varint(&mut rest).try_into().expect("a length");
                (take(&mut rest, length), 0)
            }
            5 => (take(&mut rest, 4), 0),
            other => panic!("no kind of field: {other}"),
        };
        fields.push(Field { number: tag >> 3, bytes, value });
    }
    fields
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> &'b [u8] {
    let (taken, left) = rest.split_at(length);
    *rest = left;
    taken
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut number = 0;
    for place in 0.. {
        let byte = take(rest, 1)[0];
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            break;
        }
    }
    number
}
