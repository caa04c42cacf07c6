//! A ledger that was restored from a backup: what was paid since is outside and not in it.

use super::*;

impl World {
    /// A copy of the ledger, which no server has: its place.
    fn back_up(&self) -> String {
        if self.place.starts_with("postgres") {
            let url = self.place.clone();
            return Postgres::shared().copy(&url);
        }
        let path = self.folder.path().join("backup.db").display().to_string();
        self.run(&["backup", &path]);
        path
    }

    /// Goes on with a copy, which was made a day ago by what stands in it.
    async fn restore(&mut self, copy: String) {
        if self.place.starts_with("postgres") {
            self.place = copy;
            let (evm, solana) = (self.anvil.url.clone(), self.svm.url.clone());
            self.configure(&[evm], &[solana]);
        } else {
            for more in ["-wal", "-shm"] {
                drop(std::fs::remove_file(format!("{}{more}", self.place)));
            }
            std::fs::rename(copy, &self.place).expect("both are ours");
        }
        self.plant("UPDATE checkouts SET ask_at = ask_at - 86400000;".to_owned()).await;
    }

    /// The provider's name of the payment of an order.
    async fn payment_id(&self, page: &Page) -> String {
        let statement = format!(
            "SELECT p.reference FROM payments p JOIN topup_order o ON o.id = p.order_id WHERE o.trade_no = '{}'",
            page.trade_no
        );
        let statement = AssertSqlSafe(statement);
        if self.place.starts_with("postgres") {
            let options: PgConnectOptions = self.place.parse().expect("an address");
            let mut ledger = options.options([("search_path", "tollgate")]).connect().await.expect("a connection");
            let found = sqlx::query_scalar(statement).fetch_one(&mut ledger).await.expect("a payment");
            ledger.close().await.expect("it ends");
            found
        } else {
            let mut ledger = SqliteConnectOptions::new().filename(&self.place).connect().await.expect("a connection");
            sqlx::query_scalar(statement).fetch_one(&mut ledger).await.expect("a payment")
        }
    }
}

async fn what_was_paid_after_the_backup_is_named(on: On) {
    let mut world = World::open(on).await;
    let served = world.serve();
    world.pay_on_evm(&served, 1).await;
    let known = world.page(&served).await;
    assert!(served.terminate());
    let copy = world.back_up();
    let served = world.serve();
    world.pay_on_evm(&served, 2).await;
    world.pay_on_solana(&served).await;
    let unknown = world.page(&served).await;
    for page in [&known, &unknown] {
        world.provider.press(&page.url, "pay").await;
    }
    world.balance_is(&served, "25").await;
    assert!(served.terminate());
    let (clean, told_before) = world.compared(&[]);
    assert!(clean, "{told_before}");
    let paid = [world.payment_id(&known).await, world.payment_id(&unknown).await];
    world.restore(copy).await;
    let named = world.named(&["--since", "24h"]);
    let kinds: Vec<_> = named.iter().map(|finding| (told(finding).0, told(finding).1)).collect();
    let not_credited = |source| ("not_credited", source);
    assert_eq!(kinds, [not_credited(chain::NETWORK), not_credited(svm::NETWORK), not_credited(NAME)], "{named:?}");
    assert!(named.iter().all(|finding| amount(&finding["usd"]) == "5"), "{named:?}");
    assert_eq!(named[2]["reference"], paid[0], "{named:?}");
    assert!(named[2]["said"].as_str().expect("a text").contains("credits it by itself"), "{named:?}");
    // The order that the ledger does not know is in the provider's list alone.
    let list = world.folder.path().join("settlements.csv");
    let lines =
        paid.iter().zip([&known, &unknown]).map(|(id, page)| format!("{id},{},PAYMENT,500,USD\n", page.trade_no));
    let head = "transactionId,transactionRequestId,transactionType,transactionAmountValue,transactionCurrency\n";
    let text = format!("{head}{}<END>\n", lines.collect::<String>());
    std::fs::write(&list, &text).expect("a file of ours");
    let named = world.named(&["--settlements", &list.display().to_string()]);
    let listed: Vec<_> = named.iter().filter(|finding| told(finding).1.ends_with("(settlements)")).collect();
    assert_eq!(listed.iter().map(|finding| told(finding).2).collect::<Vec<_>>(), paid, "{named:?}");
    assert_eq!((listed[0]["order_id"].is_i64(), &listed[1]["order_id"]), (true, &Value::Null), "{named:?}");
    // A list that was cut off is none.
    std::fs::write(&list, text.replace("<END>", "")).expect("a file of ours");
    let (done, refused) = world.tell(&["audit", "--chains", "--settlements", &list.display().to_string()]);
    assert!(!done && refused["error"].as_str().expect("a text").contains("not whole"), "{refused}");
    // A server that runs asks about the order that it knows, and credits it.
    let served = world.serve();
    world.balance_is(&served, "10").await;
    assert!(served.terminate());
    let named = world.named(&[]);
    let kinds: Vec<_> = named.iter().map(|finding| told(finding).1).collect();
    assert_eq!(kinds, [chain::NETWORK, svm::NETWORK], "{named:?}");
}

on_both!(what_was_paid_after_the_backup_is_named);
