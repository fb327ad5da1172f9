//! Bodies that nobody reads to their end. The framework would read on and throw away what comes, for as long as the
//! sender likes; here the connection is closed soon after the answer.

use actix_web::HttpMessage;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

/// A request's body, in the hands of its reader and of [`Unread`] at the same time.
#[derive(Clone)]
struct Shared(Rc<(RefCell<Payload>, Cell<bool>)>);

impl Stream for Shared {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let (payload, ended) = &*self.0;
        let next = Pin::new(&mut *payload.borrow_mut()).poll_next(context);
        if matches!(next, Poll::Ready(None | Some(Err(_)))) {
            ended.set(true);
        }
        next
    }
}

/// What is left of a request's body.
pub struct Unread(Option<Shared>);

/// Keeps the body of a request, besides its reader.
pub fn watch(request: &mut ServiceRequest) -> Unread {
    let payload = request.take_payload();
    if matches!(payload, Payload::None) {
        return Unread(None);
    }
    let shared = Shared(Rc::new((RefCell::new(payload), Cell::new(false))));
    request.set_payload(Payload::Stream { payload: Box::pin(shared.clone()) });
    Unread(Some(shared))
}

impl Unread {
    /// The answer's body; it holds on to what was not read, which makes the connection close after it.
    pub fn behind(self, answer: BoxBody) -> BoxBody {
        match self.0 {
            Some(shared) if !shared.0.1.get() => BoxBody::new(Holding { answer, _unread: shared }),
            _ => answer,
        }
    }
}

/// An answer that holds on to the unread body of its request.
struct Holding {
    answer: BoxBody,
    _unread: Shared,
}

impl MessageBody for Holding {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answer).poll_next(context)
    }
}
