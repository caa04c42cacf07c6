//! Customers in the console of their account: in a browser, and whatever pages of others and strangers ask.

mod flood;
mod forged_requests;
mod mail;
mod page_headers;
mod planted;
mod pools;
mod sessions;
mod strangers;
mod tags;
mod walks;
