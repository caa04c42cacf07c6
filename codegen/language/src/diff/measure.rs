//! The difference between two values.

use super::node::{Happening, Room, Value};
use crate::model::{Base, Place, Primitive, Shape, Spec, Type, TypeExpr};

/// The change between two values; `None` where they are equal, and for types, which need their specs.
pub(super) fn measure(old: &Value, new: &Value) -> Option<Happening> {
    match (old, new) {
        (Value::Flag(old), Value::Flag(new)) if old != new => Some(if *new { Happening::On } else { Happening::Off }),
        (Value::Word(old), Value::Word(new)) => match (old, new) {
            (None, Some(_)) => Some(Happening::Come),
            (Some(_), None) => Some(Happening::Gone),
            (Some(old), Some(new)) if old != new => Some(Happening::Other),
            _ => None,
        },
        (Value::Room(old), Value::Room(new)) => room(old, new),
        (Value::Set(old), Value::Set(new)) => {
            let lost = old.iter().any(|word| !new.contains(word));
            let gained = new.iter().any(|word| !old.contains(word));
            match (lost, gained) {
                (true, _) => Some(Happening::Narrower),
                (false, true) => Some(Happening::Wider),
                (false, false) => None,
            }
        }
        (Value::Order(old), Value::Order(new)) => {
            let common = |these: &[String], those: &[String]| -> Vec<String> {
                these.iter().filter(|key| those.contains(key)).cloned().collect()
            };
            (common(old, new) != common(new, old)).then_some(Happening::Other)
        }
        _ => None,
    }
}

fn room(old: &Room, new: &Room) -> Option<Happening> {
    if old.named.is_some() && old.named == new.named {
        return None;
    }
    if old.most != new.most {
        // What was too much is what is asked for now: neither has room for all of the other, whatever the numbers.
        return Some(Happening::Other);
    }
    let grew = match (old.at, new.at) {
        (None, None) => return None,
        (None, Some(_)) => false,
        (Some(_), None) => true,
        (Some(old), Some(new)) if old == new => return None,
        (Some(was), Some(is)) => (is > was) == new.most,
    };
    Some(if grew { Happening::Wider } else { Happening::Narrower })
}

/// A type with the names of other types replaced by what they are another name of.
pub(super) fn resolved(spec: &Spec, base: &Base) -> Base {
    resolve(spec, base, DEPTH_MAX)
}

/// No sound type is nested deeper; an old spec need not be sound.
const DEPTH_MAX: usize = 32;

fn resolve(spec: &Spec, base: &Base, depth: usize) -> Base {
    let Some(depth) = depth.checked_sub(1) else { return base.clone() };
    match base {
        Base::List(item) => Base::List(Box::new(resolve(spec, item, depth))),
        Base::Map(item) => Base::Map(Box::new(resolve(spec, item, depth))),
        Base::Const(_) | Base::Primitive(_) => base.clone(),
        Base::Named(name) => match newtypes(spec, name).last().and_then(|(_, named)| is(named)) {
            Some(inner @ (Base::List(_) | Base::Map(_))) => resolve(spec, &inner, depth),
            Some(inner) => inner,
            None => base.clone(),
        },
    }
}

/// A type, and those that it is another name of one after the other, as long as they are names.
pub(super) fn newtypes<'s>(spec: &'s Spec, name: &str) -> Vec<(Place, &'s Type)> {
    let mut chain: Vec<(Place, &'s Type)> = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(entry) = next.as_deref().and_then(|name| spec.types.get(name)) {
        // The check refuses circles; a spec that did not pass it may have one.
        let circle = chain.iter().any(|(place, _)| *place == entry.place);
        let Some(inner) = is(&entry.value).filter(|_| !circle) else { break };
        chain.push((entry.place, &entry.value));
        next = match inner {
            Base::Named(name) => Some(name),
            Base::List(_) | Base::Map(_) | Base::Const(_) | Base::Primitive(_) => None,
        };
    }
    chain
}

/// The type that a type is another name of.
fn is(named: &Type) -> Option<Base> {
    match named.shape()? {
        Shape::Newtype { is } => TypeExpr::parse(&is.value).ok().map(|expr| expr.base),
        Shape::Struct { .. } | Shape::Enum { .. } | Shape::Union { .. } => None,
    }
}

/// The change between two types of different kinds; `None` where each has room for all of the other.
pub(super) fn types((old_spec, old): (&Spec, &Base), (new_spec, new): (&Spec, &Base)) -> Option<Happening> {
    match (fits((old_spec, old), (new_spec, new)), fits((new_spec, new), (old_spec, old))) {
        (true, true) => None,
        (true, false) => Some(Happening::Wider),
        (false, true) => Some(Happening::Narrower),
        (false, false) => Some(Happening::Other),
    }
}

/// True if every value of the one is a value of the other.
fn fits((spec, inner): (&Spec, &Base), (outer_spec, outer): (&Spec, &Base)) -> bool {
    use Primitive::{Bytes, Date, DateTime, Int, Json, Number, String, UnixSeconds, Url, Usd};
    match (inner, outer) {
        (_, Base::Primitive(Json)) => true,
        (Base::Primitive(inner), Base::Primitive(outer)) => {
            inner == outer
                || match outer {
                    String => matches!(inner, Url | Bytes | Date | DateTime),
                    Number => matches!(inner, Int | UnixSeconds | Usd),
                    Int => *inner == UnixSeconds,
                    _ => false,
                }
        }
        (Base::Const(_), Base::Primitive(String)) => true,
        (Base::Const(word), Base::Named(name)) => {
            words(outer_spec, name).is_some_and(|(words, _)| words.contains(word))
        }
        (Base::Named(name), Base::Primitive(String)) => words(spec, name).is_some(),
        (Base::Primitive(String), Base::Named(name)) => words(outer_spec, name).is_some_and(|(_, open)| open),
        (Base::List(inner), Base::List(outer)) | (Base::Map(inner), Base::Map(outer)) => {
            fits((spec, inner), (outer_spec, outer))
        }
        (Base::Named(name), Base::Map(item)) => {
            **item == Base::Primitive(Json)
                && spec.types.get(name).is_some_and(|named| matches!(named.shape(), Some(Shape::Struct { .. })))
        }
        _ => false,
    }
}

/// The words of an enum, and whether it has room for others.
fn words(spec: &Spec, name: &str) -> Option<(Vec<String>, bool)> {
    match spec.types.get(name)?.shape()? {
        Shape::Enum { words, open } => Some((words.all().map(|(word, _, _)| word.to_owned()).collect(), open)),
        Shape::Struct { .. } | Shape::Union { .. } | Shape::Newtype { .. } => None,
    }
}

/// A type as it is written.
pub(super) fn in_words(base: &Base) -> String {
    match base {
        Base::Const(word) => format!("const {word}"),
        Base::List(item) => format!("list of {}", in_words(item)),
        Base::Map(item) => format!("map of {}", in_words(item)),
        Base::Primitive(primitive) => primitive.word().to_owned(),
        Base::Named(name) => name.clone(),
    }
}
