//! The socket of a connection, with limits that the framework lacks: a deadline for answers that are not read, and no
//! read-ahead while a request is being answered.

use super::connections::{Admitted, Connection, Phase};
use super::limits::{ANSWER_PART_BYTES, ANSWER_SILENCE, READ_AHEAD_BYTES, STOP_SILENCE};
use std::io;
use std::mem::{MaybeUninit, take};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The socket of a connection.
#[derive(Debug)]
pub struct Stream {
    io: TcpStream,
    admitted: Admitted,
    /// Set while the client does not read.
    stall: Option<Stall>,
    /// True if the last read was of maximum length: its bytes are processed before the next read.
    read_all: bool,
}

/// A client that does not read.
#[derive(Debug)]
struct Stall {
    deadline: Pin<Box<Sleep>>,
    /// Bytes taken since.
    taken: usize,
    /// True once the deadline is that of a stopping service.
    is_hurried: bool,
}

impl Stream {
    /// Wraps the socket of a connection.
    pub fn new(io: TcpStream, admitted: Admitted) -> Stream {
        Stream { io, admitted, stall: None, read_all: false }
    }

    /// The connection.
    pub fn connection(&self) -> &Arc<Connection> {
        self.admitted.connection()
    }

    /// Sets the task to wake. Fails if the connection must make room.
    fn begin(&self, context: &Context<'_>) -> io::Result<()> {
        let connection = self.connection();
        connection.watch(context.waker());
        if connection.is_closed() {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionAborted,
                "closed to make room for another connection",
            ));
        }
        Ok(())
    }

    /// Reads nothing, but detects the end of the stream.
    fn poll_end(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match ready!(self.io.poll_peek(context, &mut ReadBuf::new(&mut [0]))) {
            Ok(0) => Poll::Ready(Ok(())),
            Ok(_) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    /// The client does not read: waits until the deadline.
    fn poll_stall(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let connection = self.admitted.connection();
        let stall = self.stall.get_or_insert_with(|| {
            connection.block(true);
            Stall { deadline: Box::pin(sleep(ANSWER_SILENCE)), taken: 0, is_hurried: false }
        });
        if !stall.is_hurried && self.admitted.all().is_stopping() {
            stall.is_hurried = true;
            let soon = stall.deadline.deadline().min(Instant::now() + STOP_SILENCE);
            stall.deadline.as_mut().reset(soon);
        }
        ready!(stall.deadline.as_mut().poll(context));
        Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, "the client does not read the answer"))
    }

    /// The client reads again.
    fn end_stall(&mut self, context: &Context<'_>) {
        if self.stall.take().is_some() {
            self.connection().block(false);
            // Reading was postponed meanwhile.
            context.waker().wake_by_ref();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.begin(context)?;
        if take(&mut this.read_all) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if this.stall.is_some() {
            return this.poll_end(context);
        }
        if this.connection().phase() == Phase::Answer {
            this.connection().would_read();
            return this.poll_end(context);
        }
        let mut part = [MaybeUninit::uninit(); READ_AHEAD_BYTES];
        let length = buffer.remaining().min(READ_AHEAD_BYTES);
        let mut part = ReadBuf::uninit(&mut part[..length]);
        ready!(Pin::new(&mut this.io).poll_read(context, &mut part))?;
        buffer.put_slice(part.filled());
        this.read_all = part.remaining() == 0;
        this.connection().moved();
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.begin(context)?;
        match Pin::new(&mut this.io).poll_write(context, bytes) {
            Poll::Ready(Ok(written)) => {
                this.connection().moved();
                if let Some(stall) = &mut this.stall {
                    stall.taken += written;
                    if stall.taken >= ANSWER_PART_BYTES {
                        this.end_stall(context);
                    }
                }
                Poll::Ready(Ok(written))
            }
            Poll::Pending => this.poll_stall(context).map(Err),
            failed => failed,
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // The framework flushes when the socket has taken everything.
        this.end_stall(context);
        Pin::new(&mut this.io).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(context)
    }
}
