//! Real connections: answered, bounded, ended gracefully.

use std::time::Duration;

use probity_server::{Stopped, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::place::{HOST, Place};

async fn start(
    place: &Place,
) -> (std::net::SocketAddr, tokio::sync::oneshot::Sender<()>, tokio::task::JoinHandle<Stopped>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = place.server.clone();
    let task = tokio::spawn(serve(server, listener, async move {
        let _ = stopped.await;
    }));
    (address, stop, task)
}

async fn ask(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_server_answers_refuses_the_oversized_and_stops() {
    let place = Place::open().await;
    let (address, stop, task) = start(&place).await;
    let plain = format!("GET /api/health HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n");
    let answer = ask(address, &plain).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"ok\""), "{answer}");
    let long =
        format!("GET /api/health HTTP/1.1\r\nHost: {HOST}\r\nX: {}\r\n\r\n", "x".repeat(64 * 1024));
    let answer = ask(address, &long).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    let many: String = (0..200).map(|n| format!("X-{n}: y\r\n")).collect();
    let answer = ask(address, &format!("GET / HTTP/1.1\r\nHost: {HOST}\r\n{many}\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    stop.send(()).unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(30), task).await.unwrap().unwrap();
    assert_eq!(ended, Stopped::Gracefully);
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_stream_ends_when_the_server_stops_and_the_run_does_not() {
    let place = Place::open().await;
    let (address, stop, task) = start(&place).await;
    let body = "{\"question\":\"How loud may music be at night?\"}";
    let request = format!(
        "POST /api/research/stream HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0u8; 12];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    stop.send(()).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    assert!(!String::from_utf8_lossy(&rest).contains("event: end"));
    let ended = tokio::time::timeout(Duration::from_secs(30), task).await.unwrap().unwrap();
    assert_eq!(ended, Stopped::Gracefully);
    assert_eq!(place.store.queue_counts().await.unwrap().queued, 1);
}
