//! A model request from end to end, as numbered steps.

use std::sync::Arc;

use http::{HeaderMap, StatusCode};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Gateway;
use crate::error::GatewayError;
use crate::inbound::InboundRequest;
use crate::metering::cost::CostReporting;
use crate::upstream::kept;
use tollgate_api::{Cx, Principal, ProxyReply, ProxyReplyBody};

use super::answer_progress::{AnswerProgress, LateAnswer};
use super::billing::BilledRequest;
use super::deliver::late_headers;
use super::disconnect::{DisconnectGrace, WaitingClient};
use super::metered_stream::{StreamErrorRenderer, StreamFault};
use super::prepared_turn::PreparedTurn;
use super::reply::{ReplyResult, answer_id};
use super::reserve::ReservedRequest;
use super::session::SessionHash;
use super::turn::ChatTurn;

impl Gateway {
    /// Answers a request for one turn. Whatever happens, the hold is settled or released.
    pub(crate) async fn turn(
        &self,
        cx: &Cx,
        caller: Principal,
        mut inbound: InboundRequest,
        fault_event: StreamErrorRenderer,
    ) -> ReplyResult {
        inbound.cost = CostReporting::of(caller.include_cost, &cx.headers, inbound.format, &inbound.bytes);
        // 1. What is on offer now, by which all of it is served and charged.
        let catalog = self.catalog.load_full();
        // 2. The most that it can cost is held, durably, before anything is sent.
        let account = caller.account;
        let ReservedRequest { hold, offers } = self.reserve(cx, caller, &inbound, &catalog).await?;
        let mut tab = BilledRequest::new(cx, inbound.model.clone(), self, catalog, hold, offers[0].tariff.clone());
        tab.note("tollgate.format", inbound.format);
        if inbound.cost.in_usage {
            tab.show_cost_in(inbound.format);
        }
        inbound.keep.take().into_iter().for_each(|keep| tab.keep(keep));
        let choice = offers.iter().any(|offer| offer.model.candidates.len() > 1);
        let session = choice.then(|| SessionHash::of(account, &cx.headers, &inbound));
        // 3. The rest goes on when the client leaves: a provider that was asked has to be paid.
        let (headers, answer_id) = (kept(&cx.headers), answer_id(&cx.request_id));
        let opening = AnswerProgress::default();
        let (standing, form) = (tab.standing(), (inbound.format, inbound.as_list));
        let prepared =
            PreparedTurn { inbound, headers, answer_id, offers, fault_event, session, opening: opening.clone() };
        let prepared = Arc::new(prepared);
        let (reply, mut waiting) = oneshot::channel();
        let task = prepared.clone();
        let gateway = self.clone();
        // Boxed: it would be copied from place to place on its way to being spawned.
        self.tasks.spawn(Box::pin(async move {
            let absence = DisconnectGrace::new(gateway.patience.abandoned, gateway.cut.clone());
            let mut client = WaitingClient::new(reply, absence);
            let answered = gateway.carry_out(&task, tab, &mut client).await;
            // A stream that nobody takes is drained when it is dropped here.
            client.answer(answered);
        }));
        let held = self.patience.first_content;
        tokio::select! {
            biased;
            // The sender is dropped unsent only when the task panicked; its hold was released then.
            answered = &mut waiting => answered.unwrap_or(Err(GatewayError::Failed)),
            // A stream that is open and says nothing: the client is sent the status, and is answered behind it.
            told = opening.overdue(held) => {
                let headers = late_headers(&prepared.inbound, &standing, &told);
                Ok(LateAnswer::reply(headers, waiting, form, held))
            }
        }
    }

    async fn carry_out(
        &self,
        prepared: &PreparedTurn,
        mut tab: Box<BilledRequest>,
        client: &mut WaitingClient<ReplyResult>,
    ) -> ReplyResult {
        // 4. The first candidate whose answer begins well; none after the first byte for the client.
        let whole = Instant::now() + self.patience.total;
        let asked = {
            let mut turn = ChatTurn::new(self, prepared, &mut tab);
            self.try_candidates(&mut turn, &prepared.offers, client, whole).await
        };
        let committed = prepared.opening.ends();
        match asked {
            // 5. Metered, settled, and only then complete.
            Ok(begun) => self.deliver(begun, prepared, tab, client).await,
            Err(_) if committed => {
                let last = self.unstarted_stream_error(prepared, &(prepared.fault_event)(StreamFault::BrokeOff, &tab));
                tab.abandon().await;
                let body = ProxyReplyBody::Stream(last.into());
                Ok(ProxyReply { status: StatusCode::OK, headers: HeaderMap::new(), body })
            }
            Err(error) => {
                tab.abandon().await;
                Err(error)
            }
        }
    }
}
