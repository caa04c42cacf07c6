//! [`Rest`]: the members of an open object that its shape does not know, and the order in which all members stood.

use super::Json;

/// Unknown members with their texts, in order, and the place of the known ones among them.
///
/// Two remainders are equal when they hold the same unknown members in the same order; where the known members stood
/// is kept for writing only. The default is what a value made here has: nothing unknown, the declared order.
#[derive(Debug, Clone, Default)]
pub struct Rest {
    /// Empty while no unknown member was met and the known ones came in their declared order, which is the usual
    /// case and should cost no allocation.
    pub(super) order: Vec<MemberSlot>,
    /// The known members that were present, a bit each.
    pub(super) seen: u128,
}

/// One member of the object as it was read.
#[derive(Debug, Clone)]
pub(super) enum MemberSlot {
    /// The known field with this index.
    Known(u8),
    /// The member that tells the kinds of a union apart.
    Tag,
    /// A member the shape does not know. Escapes in its name are resolved; its value is the text as it came.
    Unknown(Box<str>, Json),
}

impl Rest {
    /// The unknown member called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The unknown members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.order.iter().filter_map(|slot| match slot {
            MemberSlot::Unknown(name, value) => Some((&**name, value)),
            MemberSlot::Known(_) | MemberSlot::Tag => None,
        })
    }

    /// True when nothing unknown was met.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Sets the unknown member called `name`: in its place when there is one, else at the end. A name that the shape
    /// knows is not written; set the field.
    pub fn set(&mut self, name: &str, value: Json) {
        let place = self.order.iter_mut().find_map(|slot| match slot {
            MemberSlot::Unknown(known, old) if **known == *name => Some(old),
            _ => None,
        });
        match place {
            Some(old) => *old = value,
            None => {
                self.fix_order();
                self.order.push(MemberSlot::Unknown(name.into(), value));
            }
        }
    }

    /// Takes the unknown member called `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let place =
            self.order.iter().position(|slot| matches!(slot, MemberSlot::Unknown(known, _) if **known == *name))?;
        match self.order.remove(place) {
            MemberSlot::Unknown(_, value) => Some(value),
            MemberSlot::Known(_) | MemberSlot::Tag => None,
        }
    }

    /// True if the known field `index` stood in what was read.
    #[must_use]
    pub fn had(&self, index: usize) -> bool {
        self.seen & (1 << index) != 0
    }

    /// Writes the order down that was only implied so far: the seen fields as declared.
    pub(super) fn fix_order(&mut self) {
        if self.order.is_empty() {
            let seen = self.seen;
            self.order.extend((0..128_u8).filter(|index| seen & (1 << index) != 0).map(MemberSlot::Known));
        }
    }
}

impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
