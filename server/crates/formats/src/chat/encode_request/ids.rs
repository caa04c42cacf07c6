//! Ids of calls that this format's upstreams take.

use crate::DropReport;

/// Upstreams refuse longer ids, in characters.
const ID_CHARS_MAX: usize = 40;

/// Gives calls and their results ids: the client's where they fit, and made ones where there is none or it is too long.
#[derive(Debug, Default)]
pub struct ChatCallIds {
    made: usize,
    /// The client's ids that were too long, with what stands for them.
    shortened: Vec<(String, String)>,
    /// Calls without an id that no result has answered yet: name and made id.
    unanswered: Vec<(String, String)>,
}

impl ChatCallIds {
    /// The id of a call.
    pub fn of_call(&mut self, id: &str, name: &str, carry: &DropReport) -> String {
        if id.is_empty() {
            let made = self.make();
            self.unanswered.push((name.to_owned(), made.clone()));
            return made;
        }
        self.fitting(id, carry)
    }

    /// The id of the call that a result answers. Without one, it is the first call of that name that is still open, or
    /// the first that is.
    pub fn of_result(&mut self, id: &str, name: Option<&str>, carry: &DropReport) -> String {
        if !id.is_empty() {
            return self.fitting(id, carry);
        }
        let named = self.unanswered.iter().position(|(called, _)| Some(called.as_str()) == name);
        match named.or((!self.unanswered.is_empty()).then_some(0)) {
            Some(index) => self.unanswered.remove(index).1,
            None => self.make(),
        }
    }

    fn fitting(&mut self, id: &str, carry: &DropReport) -> String {
        if carry.same_format() || id.len() <= ID_CHARS_MAX {
            return id.to_owned();
        }
        if let Some((_, short)) = self.shortened.iter().find(|(long, _)| long == id) {
            return short.clone();
        }
        let made = self.make();
        self.shortened.push((id.to_owned(), made.clone()));
        made
    }

    fn make(&mut self) -> String {
        self.made += 1;
        format!("call_made_{}", self.made)
    }
}
