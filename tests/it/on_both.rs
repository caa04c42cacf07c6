//! Tests of the gateway that run once with a ledger in a file, and once with one on a database server.

/// Tests with a ledger in a file, and the same with one on a database server: each takes an `On` of its own module.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod on_file {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::On::File).await;
            })*
        }
        mod on_server {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::On::Server).await;
            })*
        }
    };
}
