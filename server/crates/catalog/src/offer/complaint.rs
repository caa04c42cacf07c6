//! Complaints about what is written of an offer, or elsewhere in a configuration.

/// One thing that cannot be used: where it stands, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnplacedComplaint {
    /// The path of the key: `models`, `small`, `price`, `prompt`.
    pub path: Vec<String>,
    /// The mistake, and what to do about it.
    pub message: String,
}

impl UnplacedComplaint {
    /// A complaint about the key at a path.
    pub fn new(path: &[&str], message: impl Into<String>) -> Self {
        Self { path: path.iter().map(|&part| part.to_owned()).collect(), message: message.into() }
    }

    /// True if it is about the price of this model.
    #[must_use]
    pub fn is_about_price_of(&self, model: &str) -> bool {
        matches!(&self.path[..], [models, name, price, ..] if models == "models" && name == model && price == "price")
    }

    /// The complaint about a price in a price list: `models.NAME.price.KEY` stands there as `prices.NAME.KEY`.
    pub(super) fn of_list(self) -> Self {
        let Self { path, message } = self;
        let path = match &path[..] {
            [_, model, _, key @ ..] => [&["prices".to_owned(), model.clone()], key].concat(),
            _ => path,
        };
        Self { path, message }
    }
}
