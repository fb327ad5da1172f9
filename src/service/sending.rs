//! An answer in transmission: passed to the connection in parts, with all that must live until it is complete.

use super::connections::Request;
use super::limits::ANSWER_PART_BYTES;
use super::memory::Reservation;
use super::unread::Left;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Kept until an answer is complete or aborted: the request, for its connection; the unread rest of its body,
/// so that the connection closes after an answer that came before the body's end; the memory that the answer takes up.
pub type Kept = (Option<Request>, Option<Left>, Option<Reservation>);

/// An answer passed to the connection in parts, since the framework copies each part whole.
struct Sending {
    body: BoxBody,
    size: BodySize,
    rest: Bytes,
    _kept: Kept,
}

/// The answer's body, in parts.
pub fn sending(body: BoxBody, kept: Kept) -> BoxBody {
    let size = body.size();
    BoxBody::new(Sending { body, size, rest: Bytes::new(), _kept: kept })
}

impl MessageBody for Sending {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(bytes)) => self.rest = bytes,
                other => return Poll::Ready(other),
            }
        }
        let length = self.rest.len().min(ANSWER_PART_BYTES);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}
