//! What is told about orders for credit.

use super::Door;
use super::asks::{Ask, Names};
use super::codes::Cases;
use super::people::told;
use tollgate_tests::TestGateway;

pub(super) async fn run(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let request = Ask::of("topup.get", &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    told(cases, door, "topup.get", request, "ORDER_NOT_FOUND").await;
}
