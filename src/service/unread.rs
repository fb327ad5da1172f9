//! Bodies that are not read to the end. The framework would read and discard the rest for as long as the client sends;
//! here the connection is closed soon after the answer.

use super::connections::{Connection, Phase};
use actix_web::HttpMessage;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A request's body, shared by its reader and [`Unread`].
#[derive(Clone)]
struct Shared(Rc<Watched>);

struct Watched {
    payload: RefCell<Payload>,
    has_ended: Cell<bool>,
    connection: Option<Arc<Connection>>,
}

impl Stream for Shared {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let watched = &*self.0;
        let next = Pin::new(&mut *watched.payload.borrow_mut()).poll_next(context);
        if matches!(next, Poll::Ready(None | Some(Err(_)))) && !watched.has_ended.replace(true) {
            watched.connection.iter().for_each(|connection| connection.enter(Phase::Answer));
        }
        next
    }
}

/// The unread rest of a request's body.
pub struct Unread(Option<Shared>);

/// A body that was not read to its end.
pub struct Left(#[allow(dead_code)] Shared); // held only to be dropped

/// Keeps the body of a request beside its reader.
pub fn watch(request: &mut ServiceRequest, connection: Option<&Arc<Connection>>) -> Unread {
    let payload = request.take_payload();
    if matches!(payload, Payload::None) {
        return Unread(None);
    }
    let (payload, has_ended) = (RefCell::new(payload), Cell::new(false));
    let shared = Shared(Rc::new(Watched { payload, has_ended, connection: connection.cloned() }));
    request.set_payload(Payload::Stream { payload: Box::pin(shared.clone()) });
    Unread(Some(shared))
}

impl Unread {
    /// True if the request has a body.
    pub fn is_body(&self) -> bool {
        self.0.is_some()
    }

    /// The unread rest. The connection closes after an answer that holds it.
    pub fn left(self) -> Option<Left> {
        self.0.filter(|shared| !shared.0.has_ended.get()).map(Left)
    }
}

impl fmt::Debug for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Left")
    }
}
