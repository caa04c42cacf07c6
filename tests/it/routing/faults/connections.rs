//! What goes wrong before there is HTTP, or in place of it.

use tokio::net::TcpListener;
use tollgate_tests::Upstream;
use tollgate_tests::broken_peer::{BrokenPeer, PeerFault};

use super::{Faults, Told, all};

/// A machine's resolver may lose a question and is asked again after seconds: a name that leads nowhere is no silence.
const KEYS: &str = "[patience]\nconnect_seconds = 60";

/// Asks the faulty provider in every way: with another candidate behind it, and alone.
async fn assert_unreachable(base_url: &str, what: &str) {
    let faults = Faults::start(base_url, KEYS).await;
    for (format, stream) in all() {
        faults.assert_rescued(format, stream, what).await;
        faults.assert_told(format, stream, Told::Failed, what).await;
    }
    assert_eq!(faults.sound.take_received().len(), 8, "{what}");
    faults.assert_resolved().await;
}

#[tokio::test]
async fn a_certificate_that_nobody_trusts_is_no_provider() {
    let rude = BrokenPeer::start(PeerFault::SelfSigned).await;
    assert_unreachable(&rude.base_url("https"), "self-signed").await;
    assert_unreachable(&rude.base_url("http"), "TLS at a plain address").await;
}

/// The key is sent to nobody who does not speak TLS first.
#[tokio::test]
async fn a_provider_in_the_clear_at_a_tls_address_sees_no_request() {
    let plain = Upstream::start().await;
    assert_unreachable(&plain.base_url().replace("http://", "https://"), "in the clear").await;
    assert!(plain.take_received().is_empty());
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_no_provider() {
    for scheme in ["http", "https"] {
        assert_unreachable(&format!("{scheme}://provider.invalid/v1"), "no such name").await;
    }
}

#[tokio::test]
async fn a_port_that_nobody_listens_at_is_no_provider() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    drop(listener);
    assert_unreachable(&format!("http://{address}/v1"), "refused").await;
}

#[tokio::test]
async fn a_connection_that_is_reset_is_no_answer() {
    for manners in [PeerFault::ResetAtOnce, PeerFault::ResetAfterRequest, PeerFault::ResetInHead] {
        let rude = BrokenPeer::start(manners).await;
        assert_unreachable(&rude.base_url("http"), &format!("{manners:?}")).await;
    }
}

/// Each byte comes in time, the answer does not.
#[tokio::test]
async fn an_answer_that_trickles_is_given_up() {
    let streams = [PeerFault::DripHead, PeerFault::DripBody("text/event-stream")];
    for manners in streams {
        let rude = BrokenPeer::start(manners).await;
        let faults =
            Faults::start(&rude.base_url("http"), "[patience]\nfirst_event_seconds = 1\nidle_seconds = 1").await;
        for (format, _) in all().filter(|(_, stream)| *stream) {
            faults.assert_rescued(format, true, &format!("{manners:?}")).await;
            faults.assert_told(format, true, Told::TooSlow, &format!("{manners:?}")).await;
        }
        faults.assert_resolved().await;
    }
    // A whole answer has all the time there is, and then nobody is left to ask.
    for manners in [PeerFault::DripHead, PeerFault::DripBody("application/json")] {
        let rude = BrokenPeer::start(manners).await;
        let faults = Faults::start(&rude.base_url("http"), "[patience]\ntotal_seconds = 1").await;
        for (format, _) in all().filter(|(_, stream)| !*stream) {
            faults.assert_told(format, false, Told::TooSlow, &format!("{manners:?}")).await;
        }
        faults.assert_resolved().await;
    }
}
