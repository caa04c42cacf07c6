//! Writing: members and elements one after the other into one buffer, without a tree.

use serde::Serialize;

use super::super::UnknownMember;

/// Writes one object. [`ObjectWriter::end`] closes it.
#[derive(Debug)]
#[must_use = "an object has to be ended"]
pub struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    empty: bool,
}

/// Writes one list. [`ArrayWriter::end`] closes it.
#[derive(Debug)]
#[must_use = "a list has to be ended"]
pub struct ArrayWriter<'o> {
    out: &'o mut Vec<u8>,
    empty: bool,
}

impl<'o> ObjectWriter<'o> {
    /// Opens an object.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, empty: true }
    }

    /// Writes a member.
    pub fn member(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> &mut Self {
        self.name(name);
        json(self.out, value);
        self
    }

    /// Writes a member where there is one.
    pub fn maybe(&mut self, name: &str, value: Option<&(impl Serialize + ?Sized)>) -> &mut Self {
        if let Some(value) = value {
            self.member(name, value);
        }
        self
    }

    /// Opens a member that is an object.
    pub fn object(&mut self, name: &str) -> ObjectWriter<'_> {
        self.name(name);
        ObjectWriter::new(self.out)
    }

    /// Opens a member that is a list.
    pub fn array(&mut self, name: &str) -> ArrayWriter<'_> {
        self.name(name);
        ArrayWriter::new(self.out)
    }

    /// Writes members as they stood in the client's request.
    pub fn extras<'e>(&mut self, extras: impl IntoIterator<Item = &'e UnknownMember>) -> &mut Self {
        for extra in extras {
            self.member(&extra.name, &extra.value);
        }
        self
    }

    /// Closes the object.
    pub fn end(self) {
        self.out.push(b'}');
    }

    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(b',');
        }
        json(self.out, name);
        self.out.push(b':');
    }
}

impl<'o> ArrayWriter<'o> {
    /// Opens a list.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        out.push(b'[');
        Self { out, empty: true }
    }

    /// Writes an element.
    pub fn element(&mut self, value: &(impl Serialize + ?Sized)) -> &mut Self {
        self.comma();
        json(self.out, value);
        self
    }

    /// Opens an element that is an object.
    pub fn object(&mut self) -> ObjectWriter<'_> {
        self.comma();
        ObjectWriter::new(self.out)
    }

    /// Closes the list.
    pub fn end(self) {
        self.out.push(b']');
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(b',');
        }
    }
}

fn json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(out, value).expect("texts, numbers and raw JSON are always writable, and memory takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_objects_and_lists_get_their_commas() {
        let mut out = Vec::new();
        let mut object = ObjectWriter::new(&mut out);
        object.member("a", "x\"y").maybe("none", None::<&str>);
        let mut list = object.array("list");
        list.element(&1);
        list.object().end();
        list.end();
        object.object("empty").end();
        object.member("z", &true);
        object.end();
        assert_eq!(String::from_utf8(out).expect("text"), r#"{"a":"x\"y","list":[1,{}],"empty":{},"z":true}"#);
    }
}
