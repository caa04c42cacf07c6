//! A request, byte by byte.

/// A request that can be spoilt in any part.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: String,
    /// The target of the request line, in any bytes.
    pub(super) target: Vec<u8>,
    /// Whole lines without their ends.
    pub(super) headers: Vec<Vec<u8>>,
    pub(super) body: Option<Vec<u8>>,
    /// Whether the length of the body is told.
    pub(super) with_length: bool,
    /// Whether the client closes its side behind the last byte.
    pub(super) ends: bool,
}

impl Request {
    pub(super) fn with_body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    pub(super) fn with_header(mut self, line: impl Into<Vec<u8>>) -> Self {
        self.headers.push(line.into());
        self
    }

    pub(super) fn without_header(mut self, name: &str) -> Self {
        let before = format!("{name}:");
        self.headers.retain(|line| !line.starts_with(before.as_bytes()));
        self
    }

    /// With another line in the place of the one that says what the body is.
    pub(super) fn typed(self, line: impl Into<Vec<u8>>) -> Self {
        self.without_header("content-type").with_header(line)
    }

    pub(super) fn at(mut self, target: impl Into<Vec<u8>>) -> Self {
        self.target = target.into();
        self
    }

    /// With lines that tell the length, or do not, in place of the right one.
    pub(super) fn framed(mut self, lines: &[&str]) -> Self {
        self.with_length = false;
        self.headers.extend(lines.iter().map(|line| line.as_bytes().to_vec()));
        self
    }

    /// The client says no more, which the server sees.
    pub(super) fn ending(mut self) -> Self {
        self.ends = true;
        self
    }

    /// As it goes over the wire.
    pub(super) fn bytes(&self, key: &str) -> Vec<u8> {
        let mut bytes = [self.method.as_bytes(), b" ", &self.target, b" HTTP/1.1\r\n"].concat();
        let always = format!("host: gateway\r\nconnection: close\r\nauthorization: Bearer {key}\r\n");
        bytes.extend_from_slice(always.as_bytes());
        for line in &self.headers {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(b"\r\n");
        }
        let body = self.body.as_deref().unwrap_or_default();
        if self.with_length && self.body.is_some() {
            bytes.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body);
        bytes
    }
}
