//! Floor 0: the types that every crate of the server uses. Money, ids, time, secrets, who is calling, and the branding of pages.
//!
//! Imports nothing of ours. Holds no I/O, no configuration and no state but the counter behind request ids.
//! Start reading at [`money`]: its one rounding rule is the rule of the whole server.

mod actor;
mod branding;
mod calendar;
mod caller;
mod causes;
mod clock;
mod decimal;
mod draw;
mod group;
mod ids;
mod money;
mod money_error;
mod network;
mod ratio;
mod scope;
mod secret;
mod tags;
mod text_table;

pub use actor::Actor;
pub use branding::{
    Accent, Branding, Colour, InvalidAccent, InvalidLogo, InvalidServiceName, LOGO_BYTES_MAX, Logo, SchemeColours,
    ServiceName,
};
pub use calendar::{CalendarError, Day, Moment, YearMonth};
pub use caller::{Caller, CallerCredential, DEVELOPER, MemberCaller, OWNER, OperatorCaller, Principal, SessionId};
pub use causes::with_causes;
pub use clock::{Clock, ManualClock, rfc3339};
pub use draw::{draw_bytes, draw_id, draw_text};
pub use group::{AccountGroup, InvalidGroupName};
pub use ids::{AccountId, AgentId, HoldId, KeyId, OperatorId, OrderId, PoolId, RequestId};
pub use money::{PicoUsd, Usd, price_of};
pub use money_error::MoneyError;
pub use network::{AddressRange, InvalidAddressRange};
pub use ratio::{InvalidPriceRatio, PriceRatio};
pub use scope::KeyScope;
pub use secret::Secret;
pub use tags::{InvalidTags, RequestTags};
pub use text_table::text_table;
