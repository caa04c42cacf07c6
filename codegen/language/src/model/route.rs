//! Routes: `METHOD /path/{parameter}`; families of requests: `/prefix`,
//! `/prefix/{name}:{verb}` and either of them `with` a header or parameter.

use std::ops::Range;

use super::expr::{ExprError, words};

/// A route, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredRoute {
    /// The method.
    pub method: RouteMethod,
    /// The path as written.
    pub path: String,
    /// Between the slashes.
    pub segments: Vec<PathSegment>,
}

/// One piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathSegment {
    /// Exactly this.
    Literal(String),
    /// `{name}`: anything that is not empty and has no slash.
    Parameter(PathParameter),
    /// `{*name}`, at the end only: the rest of the path, slashes and all.
    Rest(PathParameter),
    /// `{name}:verb` or `{*name}:verb`, at the end only: what comes before the last colon, slashes and all.
    ParameterVerb(PathParameter, String),
}

/// A parameter of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathParameter {
    /// Its name.
    pub name: String,
    /// The bytes of the name in the route.
    pub range: Range<usize>,
}

/// The methods there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RouteMethod {
    /// GET
    Get,
    /// POST
    Post,
    /// PUT
    Put,
    /// PATCH
    Patch,
    /// DELETE
    Delete,
}

impl RouteMethod {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete];

    /// The method as it is on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

impl DeclaredRoute {
    /// Reads a route.
    ///
    /// # Errors
    /// When it does not follow the grammar, with the bytes at fault.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        let words = words(text);
        let [method, path] = words.as_slice() else {
            return Err(error(0..text.len(), "a route is a method and a path: `POST /v1/things/{id}`"));
        };
        let method = read_method(text, method)?;
        if !text[path.clone()].starts_with('/') {
            return Err(error(path.clone(), "a path begins with `/`"));
        }
        let mut segments = Vec::new();
        if &text[path.clone()] == "/" {
            return Ok(Self { method, path: "/".to_owned(), segments });
        }
        let mut start = path.start + 1;
        let pieces: Vec<&str> = text[start..path.end].split('/').collect();
        for (index, piece) in pieces.iter().enumerate() {
            segments.push(read_segment(piece, start, index + 1 == pieces.len())?);
            start += piece.len() + 1;
        }
        Ok(Self { method, path: text[path.clone()].to_owned(), segments })
    }

    /// The parameters in order.
    pub fn parameters(&self) -> impl Iterator<Item = &PathParameter> {
        self.segments.iter().filter_map(|segment| match segment {
            PathSegment::Literal(_) => None,
            PathSegment::Parameter(parameter)
            | PathSegment::Rest(parameter)
            | PathSegment::ParameterVerb(parameter, _) => Some(parameter),
        })
    }

    /// The path with the names of parameters erased: what two routes may not share.
    #[must_use]
    pub fn erased(&self) -> String {
        let mut erased = String::new();
        for segment in &self.segments {
            erased.push('/');
            match segment {
                PathSegment::Literal(literal) => erased.push_str(literal),
                PathSegment::Parameter(_) | PathSegment::Rest(_) => erased.push_str("{}"),
                PathSegment::ParameterVerb(_, verb) => {
                    erased.push_str("{}:");
                    erased.push_str(verb);
                }
            }
        }
        erased
    }
}

/// The requests that a family is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FamilyPaths<'s> {
    /// The prefix of their paths.
    pub prefix: &'s str,
    /// True if only paths that end with a verb belong to it: `/things/{name}:{verb}`.
    pub verb: bool,
    /// A header, or `query.<name>`, that requests of the family have; absent where the path alone decides.
    pub with: Option<&'s str>,
}

impl<'s> FamilyPaths<'s> {
    /// Reads the key of a family; `None` where it is not one.
    #[must_use]
    pub fn parse(key: &'s str) -> Option<Self> {
        let (paths, with) = match key.split_once(" with ") {
            Some((paths, with)) => (paths, Some(with)),
            None => (key, None),
        };
        let (prefix, verb) = match paths.find("/{") {
            Some(at) => (&paths[..at], true),
            None => (paths, false),
        };
        let placeholders = !verb || is_verb_pattern(&paths[prefix.len() + 1..]);
        let rooted = prefix == "/" || prefix.starts_with('/') && !prefix.ends_with('/');
        let plain =
            !prefix.contains(['{', '}', ' ']) && with.is_none_or(|with| !with.is_empty() && !with.contains(' '));
        (placeholders && rooted && plain).then_some(Self { prefix, verb, with })
    }
}

/// `{name}:{verb}`, whatever the two are called.
fn is_verb_pattern(text: &str) -> bool {
    let is_placeholder = |text: &str| {
        let name = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    text.split_once(':').is_some_and(|(name, verb)| is_placeholder(name) && is_placeholder(verb))
}

fn read_method(text: &str, range: &Range<usize>) -> Result<RouteMethod, ExprError> {
    let word = &text[range.clone()];
    RouteMethod::ALL.into_iter().find(|method| method.word() == word).ok_or_else(|| ExprError {
        range: range.clone(),
        message: format!("`{word}` is no method"),
        candidates: RouteMethod::ALL.iter().map(|method| method.word()).collect(),
    })
}

fn read_segment(piece: &str, start: usize, last: bool) -> Result<PathSegment, ExprError> {
    let whole = start..start + piece.len();
    let Some(inner) = piece.strip_prefix('{') else {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        return if !piece.is_empty() && piece.bytes().all(plain) {
            Ok(PathSegment::Literal(piece.to_owned()))
        } else if piece.is_empty() {
            Err(error(start - 1..start, "an empty piece: a doubled or trailing slash"))
        } else {
            Err(error(whole, "a piece of a path is a word or `{name}`; the last may be `{*name}` or `{name}:verb`"))
        };
    };
    let Some((name, rest)) = inner.split_once('}') else {
        return Err(error(whole, "`{` without `}`"));
    };
    let (starred, name) = name.strip_prefix('*').map_or((false, name), |name| (true, name));
    let name_start = start + 1 + usize::from(starred);
    let parameter = PathParameter { name: name.to_owned(), range: name_start..name_start + name.len() };
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(error(whole, "the name of a parameter is letters, digits and `_`"));
    }
    match rest.strip_prefix(':') {
        None if rest.is_empty() && !starred => Ok(PathSegment::Parameter(parameter)),
        None if rest.is_empty() && last => Ok(PathSegment::Rest(parameter)),
        None if rest.is_empty() => Err(error(whole, "`{*name}` stands at the end of a path only")),
        Some(verb) if last && !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Ok(PathSegment::ParameterVerb(parameter, verb.to_owned()))
        }
        Some(_) => Err(error(whole, "`{name}:verb` stands at the end of a path only")),
        None => Err(error(whole, "nothing but `:verb` may follow `{name}` in one piece")),
    }
}

fn error(range: Range<usize>, message: &str) -> ExprError {
    ExprError { range, message: message.to_owned(), candidates: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_taken_apart() {
        let route = DeclaredRoute::parse("POST /v1beta/models/{model}:generateContent").expect("a route");
        assert_eq!(route.erased(), "/v1beta/models/{}:generateContent");
        let rest = DeclaredRoute::parse("GET /v1/models/{*model}").expect("a route");
        assert!(
            matches!(&rest.segments[2], PathSegment::Rest(model) if model.name == "model" && model.range == (17..22))
        );
        assert!(route.parameters().all(|parameter| parameter.range == (21..26)));
    }

    #[test]
    fn families_are_prefixes_and_may_ask_for_a_verb_and_a_member() {
        let read = |key| FamilyPaths::parse(key).map(|paths| (paths.prefix, paths.verb, paths.with));
        assert_eq!(read("/"), Some(("/", false, None)));
        assert_eq!(read("/v1/models"), Some(("/v1/models", false, None)));
        assert_eq!(read("/v1/models/{model}:{verb}"), Some(("/v1/models", true, None)));
        assert_eq!(read("/ with query.key"), Some(("/", false, Some("query.key"))));
        let none = ["v1", "/v1/", "", "/v1/{model}", "/v1/{model}:verb", "/v1/{model}:{verb}/x", "/{a}/b", "/a}b"];
        for none in none.into_iter().chain(["/v1 with", "/v1 with ", "/v1 x", "/v1 with a b", "with a"]) {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn complaints_point_at_the_piece() {
        let range = |text: &str| DeclaredRoute::parse(text).expect_err("no route").range;
        assert_eq!(range("PSOT /v1"), 0..4);
        assert_eq!(range("GET v1"), 4..6);
        assert_eq!(range("GET /v1//x"), 7..8);
        assert_eq!(range("GET /v1/{id}x"), 8..13);
        assert_eq!(range("GET /v1/{id}:go/x"), 8..15);
        assert_eq!(range("GET /v1/{*rest}/x"), 8..15);
        assert_eq!(range("GET"), 0..3);
    }
}
