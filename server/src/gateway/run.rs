//! A chat request from end to end, as numbered steps.

use tokio::sync::oneshot;

use crate::api::{Cx, Principal, ProxyBody, ProxyReply};
use crate::generated::ops::chat::CreateChatCompletionHead;

use super::Gateway;
use super::ask::Prepared;
use super::client::Client;
use super::error::GatewayError;
use super::exchange::Exchange;
use super::reserve::Reserved;
use super::stream::FaultEvent;
use super::upstream;

/// What becomes of a request.
pub(super) type Answered = Result<ProxyReply, GatewayError>;

impl Gateway {
    /// Answers a chat request, or says why not. Whatever happens, what was held is charged or given back.
    pub(super) async fn chat(
        &self,
        cx: &Cx,
        caller: Principal,
        body: ProxyBody<CreateChatCompletionHead>,
        fault_event: FaultEvent,
    ) -> Answered {
        // 1. Which model, at what price.
        let named = &body.head.model.value;
        let model = self.catalog.load().find(named).ok_or(GatewayError::NoModel)?.clone();
        // 2. The most that it can cost is held, durably, before anything is sent.
        let Reserved { hold, output_bound } = self.reserve(cx, caller, &body, &model).await?;
        let exchange = Exchange::new(cx, named.clone(), self.credit.clone(), hold, model.price.clone());
        // 3. The rest goes on when the client leaves: a provider that was asked has to be paid.
        let headers = upstream::upstream(&cx.headers);
        let prepared = Prepared { body, headers, model, output_bound, fault_event };
        let (reply, waiting) = oneshot::channel();
        let gateway = self.clone();
        self.tasks.spawn(async move {
            let mut client = Client::new(reply, gateway.patience.abandoned);
            let answered = gateway.carry_out(prepared, exchange, &mut client).await;
            // A stream that nobody takes is drained when it is dropped here.
            client.answer(answered);
        });
        // The sender is dropped unsent only when the task panicked; its hold was released then.
        waiting.await.unwrap_or(Err(GatewayError::Failed))
    }

    async fn carry_out(&self, prepared: Prepared, mut exchange: Exchange, client: &mut Client<Answered>) -> Answered {
        // 4. The first candidate whose answer begins well; none after the first byte for the client.
        match self.ask(&prepared, &mut exchange, client).await {
            // 5. Metered, settled, and only then complete.
            Ok(begun) => self.deliver(begun, &prepared, exchange, client).await,
            Err(error) => {
                exchange.abandon().await;
                Err(error)
            }
        }
    }
}
