//! The clock of a server beside that of its database.

use super::*;

#[tokio::test]
async fn a_clock_that_is_not_the_database_s_is_told() {
    let now_ms = Clock::system().now_ms();
    let (_folder, config, _store) = temporary_on(On::Server, &Clock::system()).await;
    check_clock(&config, &Clock::system()).await.unwrap();
    for (ahead_ms, told) in [(86_400_000, "seconds ahead of that of"), (-90_000, "seconds behind that of")] {
        let (clock, _hand) = Clock::manual(now_ms + ahead_ms);
        let error = check_clock(&config, &clock).await.unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
        // It was asked a moment after the time was read.
        let seconds = ahead_ms / 1_000;
        assert!(
            matches!(error, StoreError::ClockDiffers { seconds: by } if (seconds - 60..=seconds).contains(&by)),
            "{error}"
        );
    }
    let (_folder, config, _store) = temporary_on(On::File, &Clock::system()).await;
    check_clock(&config, &Clock::manual(1).0).await.unwrap();
}
