//! A spec as a tree of things and facets, each with the place where it is written: the form in which two are compared.

use crate::model::{BaseType, SourceSpan};

/// The way in which the values of a kind of node differ, and with it the changes that it can have.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FacetMeasure {
    /// It is there on both sides, and only holds others.
    Holder,
    /// It is there or it is not.
    Presence,
    /// `Presence`; coming, it may be forced on those who knew nothing of it.
    Force,
    /// On or off.
    Flag,
    /// A word that is always there.
    Word,
    /// A word that may be missing.
    Choice,
    /// A bound, or anything else that leaves more or less room.
    Room,
    /// `Room`; the greatest that was possible may become the least, and the other way round.
    Bound,
    /// A type: more, less or other room.
    Type,
}

/// A change of a node between the old spec and the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum FacetChange {
    /// It was there.
    Gone,
    /// It is there now.
    Come,
    /// It is there now, for those too who knew nothing of it: a required field, a word that a closed list did not have.
    Forced,
    /// False before, true now.
    On,
    /// True before, false now.
    Off,
    /// Fewer values are possible.
    Narrower,
    /// More values are possible.
    Wider,
    /// Neither.
    Other,
}

#[cfg(test)]
impl FacetMeasure {
    /// The changes that such a kind of node can have.
    pub(super) const fn happenings(self) -> &'static [FacetChange] {
        use FacetChange::{Come, Forced, Gone, Narrower, Off, On, Other, Wider};
        match self {
            Self::Holder => &[],
            Self::Presence => &[Gone, Come],
            Self::Force => &[Gone, Come, Forced],
            Self::Flag => &[On, Off],
            Self::Word => &[Other],
            Self::Choice => &[Gone, Come, Other],
            Self::Room => &[Narrower, Wider],
            Self::Bound | Self::Type => &[Narrower, Wider, Other],
        }
    }
}

macro_rules! facet_kinds {
    ($($measure:ident { $($kind:ident),+ $(,)? })+) => {
        /// The kinds of things and facets.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) enum FacetKind {
            $($($kind),+),+
        }

        impl FacetKind {
            /// All of them.
            #[cfg(test)]
            pub(super) const ALL: &[Self] = &[$($(Self::$kind),+),+];

            /// The way in which its values differ.
            #[cfg(test)]
            pub(super) const fn measure(self) -> FacetMeasure {
                match self {
                    $($(Self::$kind)|+ => FacetMeasure::$measure),+
                }
            }
        }
    };
}

facet_kinds! {
    Holder { Root, Shape, EnvelopeBody, PathParameter }
    Presence {
        Body, WireName, Accepted, Scheme, Caller, Proof, ProofFamily, Rail, Chain, Limit, Family, KindName, Code, AlsoStatus,
        Carried, Operation, RoutePath, Method, Admits, AskedProof, ReplyHeader, JsonBody, FormBody, RawBody, Reply,
        Branch, Stream, Csv, BoundBy, Moves, Machine, State, ViewState, Move, MoveFrom, Mover, MoveGuard,
        MoveEffect, EnvelopeField, RequestObject, KnownMember, AnyOrigin,
        OperatorPath, Role, AdmitsRole, MemberRole, AdmitsMember,
    }
    Force { Query, Header, Field, EnumWord, Variant, Answers, Pages }
    Flag {
        Final, Live, Public, Proxy, StreamNames, ErrorsOpen, Idempotent, OnceKey, Required, Nullable, StructOpen, EnumOpen,
        UnionOpen, Parameters, Conditional, PlainText,
    }
    Word {
        Package, FirstName, CreditOn, Unit, KindWord, Status, CodeKind, CodeWord, CarriedType, Say, Remedy,
        OperationId, ParameterName, BranchOrder, CsvRows, PageItems, PageParameter, PageCursor, Const, Tag, TypeName,
        Column, Table, ViewOf, MoveTo, GuardText, EnvelopeText, Style, MemberClass, TextClass,
    }
    Choice {
        Carrier, KeyStart, Signed, Signer, Asset, Rate, Scope, LimitCode, Setting, Session, StreamSwitch, StreamEnd, PageEnd,
        Name, RuntimeHeader, AlwaysHttp, Deprecated, Sunset, Default, IgnoredFor, Start, EffectScope, BodyOf, Event,
    }
    Room {
        Wallets, Validity, Amount, BodyCap, RuntimeLimit, Retry, Range, Length, Items, EnvelopeAbsent, EnvelopeHolders,
    }
    Bound { Size }
    Type { Type }
}

impl FacetKind {
    /// True for a member of a list that may be closed.
    pub(super) const fn is_member(self) -> bool {
        matches!(self, Self::EnumWord | Self::Variant | Self::Answers)
    }
}

/// The direction on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum WireDirection {
    /// From the client.
    Sent,
    /// To the client.
    Received,
}

/// The value of a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FacetValue {
    /// Nothing but that it is there.
    Nothing,
    /// On or off.
    Flag(bool),
    /// A word, where there is one.
    Word(Option<String>),
    /// Room up to a bound, or down to one.
    Room(ValueRoom),
    /// The placeholders of a text: fewer are less room.
    Set(Vec<String>),
    /// Things whose order matters, those on one side only left aside.
    Order(Vec<String>),
    /// A type.
    Type(BaseType),
}

/// Room up to a bound, or down to one; no bound is all room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueRoom {
    /// True if the bound is the greatest that is possible, false for the least.
    pub(super) most: bool,
    /// The bound.
    pub(super) at: Option<i128>,
    /// The bound as it is written.
    pub(super) shown: String,
    /// The name of the limit that gives the bound; where both sides name the same, the change is that of the limit.
    pub(super) named: Option<String>,
}

/// A further node to compare, wherever it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NodeLink {
    /// An envelope.
    Envelope(String),
    /// A type.
    Named(String),
}

/// A thing or a facet.
#[derive(Debug, Clone)]
pub(super) struct DiffNode {
    pub(super) kind: FacetKind,
    /// The key that tells it from its siblings of the same kind.
    pub(super) key: String,
    /// The words that it adds to its parent's subject; empty for a facet.
    pub(super) step: String,
    /// True if `step` is the whole subject.
    pub(super) absolute: bool,
    pub(super) value: FacetValue,
    pub(super) place: SourceSpan,
    /// The direction of all that is inside.
    pub(super) direction: Option<WireDirection>,
    /// True if it is forced on those who knew nothing of it.
    pub(super) must: bool,
    /// A sibling that clients of this node know too; where the old side lacks it, the node is forced on them.
    pub(super) with_sibling: Option<(FacetKind, String)>,
    /// True if its list has no room for members that nobody knew of.
    pub(super) closed: bool,
    pub(super) link: Option<NodeLink>,
    pub(super) children: Vec<DiffNode>,
}

impl DiffNode {
    /// A thing, named by its key.
    pub(super) fn thing(kind: FacetKind, key: impl Into<String>, place: SourceSpan) -> Self {
        let key = key.into();
        Self { step: key.clone(), ..Self::bare(kind, key, place) }
    }

    /// A facet of a thing.
    pub(super) fn facet(kind: FacetKind, value: FacetValue, place: SourceSpan) -> Self {
        Self { value, ..Self::bare(kind, String::new(), place) }
    }

    fn bare(kind: FacetKind, key: String, place: SourceSpan) -> Self {
        Self {
            kind,
            key,
            step: String::new(),
            absolute: false,
            value: FacetValue::Nothing,
            place,
            direction: None,
            must: false,
            with_sibling: None,
            closed: false,
            link: None,
            children: Vec::new(),
        }
    }

    pub(super) fn keyed(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Puts words before the key in the subject: `query.limit`.
    pub(super) fn under(mut self, above: &str) -> Self {
        self.step = format!("{above}.{}", self.key);
        self
    }

    pub(super) fn step(mut self, step: impl Into<String>) -> Self {
        self.step = step.into();
        self
    }

    pub(super) fn whole_subject(mut self, subject: impl Into<String>) -> Self {
        self.step = subject.into();
        self.absolute = true;
        self
    }

    pub(super) const fn going(mut self, direction: WireDirection) -> Self {
        self.direction = Some(direction);
        self
    }

    pub(super) const fn must(mut self, must: bool) -> Self {
        self.must = must;
        self
    }

    pub(super) fn forced_without(mut self, kind: FacetKind, key: impl Into<String>) -> Self {
        self.with_sibling = Some((kind, key.into()));
        self
    }

    pub(super) const fn closed(mut self, closed: bool) -> Self {
        self.closed = closed;
        self
    }

    pub(super) fn leading_to(mut self, link: NodeLink) -> Self {
        self.link = Some(link);
        self
    }

    pub(super) fn with(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }
}
