//! The difference between two values.

use super::node::{FacetChange, FacetValue, ValueRoom};
use crate::model::{BaseType, DeclaredShape, DeclaredType, Primitive, SourceSpan, Spec, TypeExpr};

/// The change between two values; `None` where they are equal, and for types, which need their specs.
pub(super) fn measure(old: &FacetValue, new: &FacetValue) -> Option<FacetChange> {
    match (old, new) {
        (FacetValue::Flag(old), FacetValue::Flag(new)) if old != new => {
            Some(if *new { FacetChange::On } else { FacetChange::Off })
        }
        (FacetValue::Word(old), FacetValue::Word(new)) => match (old, new) {
            (None, Some(_)) => Some(FacetChange::Come),
            (Some(_), None) => Some(FacetChange::Gone),
            (Some(old), Some(new)) if old != new => Some(FacetChange::Other),
            _ => None,
        },
        (FacetValue::Room(old), FacetValue::Room(new)) => room(old, new),
        (FacetValue::Set(old), FacetValue::Set(new)) => {
            let lost = old.iter().any(|word| !new.contains(word));
            let gained = new.iter().any(|word| !old.contains(word));
            match (lost, gained) {
                (true, _) => Some(FacetChange::Narrower),
                (false, true) => Some(FacetChange::Wider),
                (false, false) => None,
            }
        }
        (FacetValue::Order(old), FacetValue::Order(new)) => {
            let common = |these: &[String], those: &[String]| -> Vec<String> {
                these.iter().filter(|key| those.contains(key)).cloned().collect()
            };
            (common(old, new) != common(new, old)).then_some(FacetChange::Other)
        }
        _ => None,
    }
}

fn room(old: &ValueRoom, new: &ValueRoom) -> Option<FacetChange> {
    if old.named.is_some() && old.named == new.named {
        return None;
    }
    if old.most != new.most {
        // What was too much is what is asked for now: neither has room for all of the other, whatever the numbers.
        return Some(FacetChange::Other);
    }
    let grew = match (old.at, new.at) {
        (None, None) => return None,
        (None, Some(_)) => false,
        (Some(_), None) => true,
        (Some(old), Some(new)) if old == new => return None,
        (Some(was), Some(is)) => (is > was) == new.most,
    };
    Some(if grew { FacetChange::Wider } else { FacetChange::Narrower })
}

/// A type with the names of other types replaced by what they are another name of.
pub(super) fn resolved(spec: &Spec, base: &BaseType) -> BaseType {
    resolve(spec, base, DEPTH_MAX)
}

/// No sound type is nested deeper; an old spec need not be sound.
const DEPTH_MAX: usize = 32;

/// The type that a base is a name of, and so on.
pub(super) fn underlying(spec: &Spec, base: &BaseType) -> BaseType {
    resolve(spec, base, DEPTH_MAX)
}

fn resolve(spec: &Spec, base: &BaseType, depth: usize) -> BaseType {
    let Some(depth) = depth.checked_sub(1) else { return base.clone() };
    match base {
        BaseType::List(item) => BaseType::List(Box::new(resolve(spec, item, depth))),
        BaseType::TextOrList(item) => BaseType::TextOrList(Box::new(resolve(spec, item, depth))),
        BaseType::Map(item) => BaseType::Map(Box::new(resolve(spec, item, depth))),
        BaseType::Const(_) | BaseType::Primitive(_) => base.clone(),
        BaseType::Named(name) => match newtypes(spec, name).last().and_then(|(_, named)| is(named)) {
            Some(inner @ (BaseType::List(_) | BaseType::TextOrList(_) | BaseType::Map(_))) => {
                resolve(spec, &inner, depth)
            }
            Some(inner) => inner,
            None => base.clone(),
        },
    }
}

/// A type, and those that it is another name of one after the other, as long as they are names.
pub(super) fn newtypes<'s>(spec: &'s Spec, name: &str) -> Vec<(SourceSpan, &'s DeclaredType)> {
    let mut chain: Vec<(SourceSpan, &'s DeclaredType)> = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(entry) = next.as_deref().and_then(|name| spec.types.get(name)) {
        // The check refuses circles; a spec that did not pass it may have one.
        let circle = chain.iter().any(|(place, _)| *place == entry.place);
        let Some(inner) = is(&entry.value).filter(|_| !circle) else { break };
        chain.push((entry.place, &entry.value));
        next = match inner {
            BaseType::Named(name) => Some(name),
            BaseType::List(_)
            | BaseType::TextOrList(_)
            | BaseType::Map(_)
            | BaseType::Const(_)
            | BaseType::Primitive(_) => None,
        };
    }
    chain
}

/// The type that a type is another name of.
fn is(named: &DeclaredType) -> Option<BaseType> {
    match named.shape()? {
        DeclaredShape::Newtype { is } => TypeExpr::parse(&is.value).ok().map(|expr| expr.base),
        DeclaredShape::Struct { .. } | DeclaredShape::Enum { .. } | DeclaredShape::Union { .. } => None,
    }
}

/// The change between two types of different kinds; `None` where each has room for all of the other.
pub(super) fn types((old_spec, old): (&Spec, &BaseType), (new_spec, new): (&Spec, &BaseType)) -> Option<FacetChange> {
    match (fits((old_spec, old), (new_spec, new)), fits((new_spec, new), (old_spec, old))) {
        (true, true) => None,
        (true, false) => Some(FacetChange::Wider),
        (false, true) => Some(FacetChange::Narrower),
        (false, false) => Some(FacetChange::Other),
    }
}

/// True if every value of the one is a value of the other.
fn fits((spec, inner): (&Spec, &BaseType), (outer_spec, outer): (&Spec, &BaseType)) -> bool {
    use Primitive::{Bytes, Date, DateTime, Int, Json, Number, String, UnixSeconds, Url, Usd};
    match (inner, outer) {
        (_, BaseType::Primitive(Json)) => true,
        (BaseType::Primitive(inner), BaseType::Primitive(outer)) => {
            inner == outer
                || match outer {
                    String => matches!(inner, Url | Bytes | Date | DateTime),
                    Number => matches!(inner, Int | UnixSeconds | Usd),
                    Int => *inner == UnixSeconds,
                    _ => false,
                }
        }
        (BaseType::Const(_), BaseType::Primitive(String)) => true,
        (BaseType::Const(word), BaseType::Named(name)) => {
            words(outer_spec, name).is_some_and(|(words, _)| words.contains(word))
        }
        (BaseType::Named(name), BaseType::Primitive(String)) => words(spec, name).is_some(),
        (BaseType::Primitive(String), BaseType::Named(name)) => words(outer_spec, name).is_some_and(|(_, open)| open),
        (BaseType::List(inner), BaseType::List(outer) | BaseType::TextOrList(outer))
        | (BaseType::TextOrList(inner), BaseType::TextOrList(outer))
        | (BaseType::Map(inner), BaseType::Map(outer)) => fits((spec, inner), (outer_spec, outer)),
        (_, BaseType::TextOrList(_)) => fits((spec, inner), (outer_spec, &BaseType::Primitive(String))),
        (BaseType::Named(name), BaseType::Map(item)) => {
            **item == BaseType::Primitive(Json)
                && spec.types.get(name).is_some_and(|named| matches!(named.shape(), Some(DeclaredShape::Struct { .. })))
        }
        _ => false,
    }
}

/// The words of an enum, and whether it has room for others.
fn words(spec: &Spec, name: &str) -> Option<(Vec<String>, bool)> {
    match spec.types.get(name)?.shape()? {
        DeclaredShape::Enum { words, open } => Some((words.all().map(|(word, _, _)| word.to_owned()).collect(), open)),
        DeclaredShape::Struct { .. } | DeclaredShape::Union { .. } | DeclaredShape::Newtype { .. } => None,
    }
}

/// A type as it is written.
pub(super) fn in_words(base: &BaseType) -> String {
    match base {
        BaseType::Const(word) => format!("const {word}"),
        BaseType::List(item) => format!("list of {}", in_words(item)),
        BaseType::TextOrList(item) => format!("string or list of {}", in_words(item)),
        BaseType::Map(item) => format!("map of {}", in_words(item)),
        BaseType::Primitive(primitive) => primitive.word().to_owned(),
        BaseType::Named(name) => name.clone(),
    }
}
