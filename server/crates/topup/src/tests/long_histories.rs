//! The same histories, ten times as many, and others.

// suite of this file: long processor 600s

use super::histories::Histories;
use super::*;

async fn ten_thousand_histories_leave_the_books_right(on: On) {
    Histories::open(on).await.run(10_000, 7).await;
}

on_both!(ten_thousand_histories_leave_the_books_right);
