//! A line to a server that breaks after a number of bytes, and is whole again afterwards.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::fault::Fault;

/// How much is passed on at a time.
const PIECE: usize = 64 * 1024;

/// A line on a loopback port. It is taken down when this is dropped.
#[derive(Debug)]
pub struct FrailLine {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl FrailLine {
    /// A line to a server. The message of a client at which the fault strikes is not passed on, and its
    /// connection is cut.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn to(server: SocketAddr, fault: Fault) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let fault = fault.clone();
                tokio::spawn(async move {
                    // Either side may go away at any time; that ends the connection and nothing else.
                    let _ = pass(client, server, &fault).await;
                });
            }
        });
        Ok(Self { address, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for FrailLine {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(client: TcpStream, server: SocketAddr, fault: &Fault) -> io::Result<()> {
    let server = TcpStream::connect(server).await?;
    let (mut client_in, mut client_out) = client.into_split();
    let (mut server_in, mut server_out) = server.into_split();
    let asking = async {
        let mut piece = vec![0; PIECE];
        loop {
            let read = client_in.read(&mut piece).await?;
            if read == 0 || fault.strikes() {
                return io::Result::Ok(());
            }
            server_out.write_all(piece.get(..read).unwrap_or_default()).await?;
        }
    };
    let answering = tokio::io::copy(&mut server_in, &mut client_out);
    tokio::select! {
        ended = asking => ended,
        ended = answering => ended.map(drop),
    }
}
