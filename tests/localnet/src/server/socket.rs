//! Connections that can be cut before their answer is written.

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener as AxumListener},
};
use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Cuts the connection it belongs to.
#[derive(Clone, Debug, Default)]
pub(super) struct Fuse(Arc<AtomicBool>);

impl Fuse {
    /// From now on nothing is written to the connection.
    pub(super) fn blow(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::SeqCst) {
            Err(io::ErrorKind::ConnectionReset.into())
        } else {
            Ok(())
        }
    }
}

impl Connected<IncomingStream<'_, Listener>> for Fuse {
    fn connect_info(stream: IncomingStream<'_, Listener>) -> Self {
        stream.io().fuse.clone()
    }
}

/// Accepts connections that have a fuse.
pub(super) struct Listener(TcpListener);

impl Listener {
    pub(super) const fn new(inner: TcpListener) -> Self {
        Self(inner)
    }
}

impl AxumListener for Listener {
    type Io = FusedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = AxumListener::accept(&mut self.0).await;
        (
            FusedStream {
                stream,
                fuse: Fuse::default(),
            },
            address,
        )
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

/// A connection with a fuse.
pub(super) struct FusedStream {
    stream: TcpStream,
    fuse: Fuse,
}

impl AsyncRead for FusedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for FusedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.fuse.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
