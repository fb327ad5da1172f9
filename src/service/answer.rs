//! Answers to readers of any speed: what waits for a slow reader takes up room, and not for ever.

use super::limits::{ANSWER_PART_BYTES, ANSWER_SILENCE};
use super::memory::Budgeted;
use actix_web::HttpResponse;
use actix_web::web::Bytes;
use std::task::Poll;
use tokio::sync::mpsc;

/// One message to the connection.
#[derive(Debug)]
enum Message {
    Part(Bytes),
    End,
}

/// Where the parts of an answer go.
#[derive(Debug)]
pub struct Parts(mpsc::Sender<Message>);

/// Why an answer was broken off.
#[derive(Debug, thiserror::Error)]
#[error("the reader of the answer took nothing for too long")]
struct Broken;

/// An answer whose parts are sent one by one. Where they stop coming before the end has been said, the connection is
/// broken off, so that nobody takes a part for the whole.
pub fn paced(content_type: &str) -> (Parts, HttpResponse) {
    let (sender, mut receiver) = mpsc::channel(1);
    let stream = futures_util::stream::poll_fn(move |context| match receiver.poll_recv(context) {
        Poll::Pending => Poll::Pending,
        Poll::Ready(Some(Message::Part(part))) => Poll::Ready(Some(Ok(part))),
        Poll::Ready(Some(Message::End)) => Poll::Ready(None),
        Poll::Ready(None) => Poll::Ready(Some(Err(Broken))),
    });
    (Parts(sender), HttpResponse::Ok().content_type(content_type).streaming(stream))
}

/// Marks an answer whose memory is counted already, or shared by all answers like it.
#[derive(Debug, Clone, Copy)]
pub struct Counted;

/// An answer that is there as a whole.
pub fn whole(content_type: &str, answer: Budgeted) -> HttpResponse {
    shared(content_type, Bytes::from_owner(answer))
}

/// An answer whose memory is counted already, or shared by all answers like it.
pub fn shared(content_type: &str, answer: Bytes) -> HttpResponse {
    let mut response = HttpResponse::Ok().content_type(content_type).body(answer);
    response.extensions_mut().insert(Counted);
    response
}

impl Parts {
    /// Sends a part; false if its reader has gone or takes nothing any more.
    pub async fn send(&self, part: Budgeted) -> bool {
        let mut bytes = Bytes::from_owner(part);
        while !bytes.is_empty() {
            let length = bytes.len().min(ANSWER_PART_BYTES);
            if !self.message(Message::Part(bytes.split_to(length))).await {
                return false;
            }
        }
        !self.0.is_closed()
    }

    /// Sends a line; false as in [`send`](Self::send).
    pub async fn line(&self, line: &str) -> bool {
        self.message(Message::Part(Bytes::from(format!("{line}\n")))).await
    }

    /// Says that the answer is complete.
    pub async fn end(self) {
        // A reader that has gone needs no end.
        let _ = self.message(Message::End).await;
    }

    /// Waits until the reader has gone.
    pub async fn closed(&self) {
        self.0.closed().await;
    }

    async fn message(&self, message: Message) -> bool {
        self.0.send_timeout(message, ANSWER_SILENCE).await.is_ok()
    }
}
