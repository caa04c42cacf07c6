//! The operations about organisations, their teams and their members: this room's reasons as codes.

mod convert;
mod invitations;
mod members;
mod memberships;
mod organisation;
mod refusal;
mod teams;
