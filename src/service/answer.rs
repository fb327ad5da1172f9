//! Answers to slow readers: pending parts count against the memory budget, and only for a limited time.

use super::limits::{ANSWER_PART_BYTES, ANSWER_SILENCE};
use super::memory::Budgeted;
use actix_web::HttpResponse;
use actix_web::web::Bytes;
use std::task::Poll;
use tokio::sync::mpsc;

/// A message to the connection.
#[derive(Debug)]
enum Message {
    Part(Bytes),
    End,
}

/// The sender of the parts of an answer.
#[derive(Debug)]
pub struct Parts(mpsc::Sender<Message>);

/// Why an answer was aborted.
#[derive(Debug, thiserror::Error)]
#[error("the client did not read the answer in time")]
struct Broken;

/// An answer sent part by part. If the sender is dropped before [`Parts::end`], the connection is aborted, so that a
/// truncated answer cannot be mistaken for a complete one.
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

/// Marks an answer whose memory is already counted, or shared by equal answers.
#[derive(Debug, Clone, Copy)]
pub struct Counted;

/// A complete answer.
pub fn whole(content_type: &str, answer: Budgeted) -> HttpResponse {
    shared(content_type, Bytes::from_owner(answer))
}

/// A complete answer whose memory is already counted, or shared by equal answers.
pub fn shared(content_type: &str, answer: Bytes) -> HttpResponse {
    let mut response = HttpResponse::Ok().content_type(content_type).body(answer);
    response.extensions_mut().insert(Counted);
    response
}

impl Parts {
    /// Sends a part. False if the client is gone or no longer reads.
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

    /// Sends a line. False as in [`send`](Self::send).
    pub async fn line(&self, line: &str) -> bool {
        self.message(Message::Part(Bytes::from(format!("{line}\n")))).await
    }

    /// Completes the answer.
    pub async fn end(self) {
        // A client that is gone needs no end.
        let _ = self.message(Message::End).await;
    }

    /// Waits until the client is gone.
    pub async fn closed(&self) {
        self.0.closed().await;
    }

    async fn message(&self, message: Message) -> bool {
        self.0.send_timeout(message, ANSWER_SILENCE).await.is_ok()
    }
}
