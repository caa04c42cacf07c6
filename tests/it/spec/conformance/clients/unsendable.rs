//! What is not sent through a client. Each is tried, and must not come to the server as the example has it; `too-large`
//! alone never can, since it has no bytes to try.

use tollgate_spec_generator::client_model::ExampleCase;

use super::Way;

/// Examples of a name that are not sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unsendable {
    pub(super) name: &'static str,
    by: &'static [Way],
    pub(super) why: &'static str,
}

const ALL: &[Way] = &[Way::Typescript, Way::Python, Way::AsyncPython, Way::Rust];

const LIST: [Unsendable; 12] = [
    Unsendable { name: "bad-json", by: ALL, why: "a client writes the JSON" },
    Unsendable { name: "wrong-content-type", by: ALL, why: "a client says of JSON that it is" },
    Unsendable { name: "too-large", by: ALL, why: "the example says how many bytes, and not which" },
    Unsendable { name: "wrong-method", by: ALL, why: "no call has that method" },
    Unsendable {
        name: "missing-header",
        by: &[Way::Python, Way::AsyncPython, Way::Rust],
        why: "it is a parameter that a program must give",
    },
    Unsendable { name: "account-agent-without-name", by: &[Way::Rust], why: "a name is a text" },
    Unsendable { name: "account-key-without-name", by: &[Way::Rust], why: "a name is a text" },
    Unsendable { name: "agent-without-name", by: &[Way::Rust], why: "a name is a text" },
    Unsendable { name: "amount-no-number", by: &[Way::Rust], why: "an amount is a number" },
    Unsendable { name: "key-without-name", by: &[Way::Rust], why: "a name is a text" },
    Unsendable { name: "register-without-address", by: &[Way::Rust], why: "an address is a text" },
    Unsendable { name: "wallet-without-address", by: &[Way::Rust], why: "an address is a text" },
];

impl Unsendable {
    /// All that are not sent this way.
    pub(super) fn of(way: Way) -> impl Iterator<Item = Self> {
        LIST.into_iter().filter(move |listed| listed.by.contains(&way))
    }
}

/// Why an example is not sent this way.
pub(super) fn unsendable(case: &ExampleCase<'_>, way: Way) -> Option<Unsendable> {
    Unsendable::of(way).find(|listed| listed.name == case.name)
}
