//! Messages to loopback servers: what arrives, what is tried again, what is refused.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use probity_core::{Secret, WebUrl};
use probity_web::fetch::{AllowedHost, FetchSettings};
use probity_web::notify::{
    Channel, MailServer, Message, Messenger, SIGNATURE, Security, SendError, verify,
};

/// Answers one connection; what came in is handed over.
fn serve(talk: impl FnOnce(TcpStream) -> String + Send + 'static) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, hear) = channel();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let _ = tell.send(talk(stream));
    });
    (port, hear)
}

/// An HTTP server that answers with this status.
fn http(status: &'static str) -> (u16, Receiver<String>) {
    serve(move |stream| {
        let mut reader = BufReader::new(stream);
        let (mut heard, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            heard.push_str(&line);
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        heard.push_str(&String::from_utf8(body).unwrap());
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        reader.get_mut().write_all(answer.as_bytes()).unwrap();
        heard
    })
}

/// A mail server that answers as its script says: (what a command begins with, the reply).
fn mail(script: &'static [(&'static str, &'static str)]) -> (u16, Receiver<String>) {
    serve(move |stream| {
        let mut reader = BufReader::new(stream);
        reader.get_mut().write_all(b"220 mail.example hello\r\n").unwrap();
        let (mut heard, mut in_text) = (String::new(), false);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap() == 0 {
                return heard;
            }
            heard.push_str(&line);
            if in_text && line != ".\r\n" {
                continue;
            }
            in_text = false;
            let reply = script.iter().find(|(start, _)| line.starts_with(start));
            let reply = reply.map_or("500 what?", |(_, reply)| reply);
            in_text |= reply.starts_with("354");
            reader.get_mut().write_all(format!("{reply}\r\n").as_bytes()).unwrap();
            if line.starts_with("QUIT") {
                return heard;
            }
        }
    })
}

fn messenger(open: Option<u16>) -> Messenger {
    let allow_hosts = open.map(|port| AllowedHost::new("127.0.0.1", port).unwrap());
    let allow_hosts = allow_hosts.into_iter().collect();
    Messenger::new(FetchSettings { allow_hosts, ..FetchSettings::default() }).unwrap()
}

fn message() -> Message {
    Message {
        kind: "outlet".to_owned(),
        title: "reuters.com fell – to “weak”".to_owned(),
        lines: vec!["0.50 → 0.45, by ada".to_owned()],
        link: Some("https://probity.example/outlets/reuters.com".to_owned()),
        at: "2026-03-01T12:00:00Z".to_owned(),
    }
}

fn webhook(port: u16, secret: Option<&str>) -> Channel {
    let url = WebUrl::parse(&format!("http://127.0.0.1:{port}/hook")).unwrap();
    Channel::Webhook { url, secret: secret.map(Secret::new) }
}

fn server(port: u16, security: Security) -> Channel {
    Channel::Mail(MailServer {
        host: "127.0.0.1".to_owned(),
        port,
        security,
        user: None,
        password: None,
        from: "desk@probity.example".to_owned(),
        to: vec!["ada@example.org".to_owned(), "bob@example.org".to_owned()],
    })
}

#[tokio::test]
async fn a_webhook_gets_the_message_signed() {
    let (port, heard) = http("204 No Content");
    messenger(Some(port)).send(&webhook(port, Some("s3cret")), &message()).await.unwrap();
    let heard = heard.recv().unwrap();
    assert!(heard.starts_with("POST /hook HTTP/1.1"), "{heard}");
    let (head, body) = heard.split_once("\r\n\r\n").unwrap();
    let signature = head.lines().find_map(|line| line.strip_prefix(&format!("{SIGNATURE}: ")));
    let minute = Duration::from_secs(60);
    assert!(verify(&Secret::new("s3cret"), body.as_bytes(), signature.unwrap(), minute), "{head}");
    let read: Message = serde_json::from_str(body).unwrap();
    assert_eq!(read, message());
    assert!(!heard.contains("s3cret"));
}

#[tokio::test]
async fn what_may_pass_is_distinguished_from_what_lasts() {
    for (status, passes) in [
        ("500 Broken", true),
        ("429 Slow down", true),
        ("400 What", false),
        ("301 Moved\r\nlocation: http://127.0.0.1:1/", false),
    ] {
        let (port, _heard) = http(status);
        let sent = messenger(Some(port)).send(&webhook(port, None), &message()).await;
        let error = sent.unwrap_err();
        assert_eq!(matches!(error, SendError::Passing(_)), passes, "{status}: {error}");
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let sent = messenger(Some(port)).send(&webhook(port, None), &message()).await;
    assert!(matches!(sent, Err(SendError::Passing(_))), "nobody is there yet: {sent:?}");
}

#[tokio::test]
async fn a_private_host_that_nobody_opened_is_never_reached() {
    let (port, heard) = http("200 OK");
    for channel in [webhook(port, None), server(port, Security::None)] {
        let sent = messenger(None).send(&channel, &message()).await;
        let Err(SendError::Lasting(why)) = sent else { panic!("{sent:?}") };
        assert!(why.contains("not public") || why.contains("not a public"), "{why}");
    }
    assert!(heard.try_recv().is_err(), "nothing arrived");
}

#[tokio::test]
async fn ntfy_gets_title_text_and_link() {
    let (port, heard) = http("200 OK");
    let url = WebUrl::parse(&format!("http://127.0.0.1:{port}/news")).unwrap();
    let channel = Channel::Ntfy { url, token: Some(Secret::new("tk_1")) };
    messenger(Some(port)).send(&channel, &message()).await.unwrap();
    let heard = heard.recv().unwrap();
    let (head, body) = heard.split_once("\r\n\r\n").unwrap();
    for part in
        ["title: =?UTF-8?B?", "click: https://probity.example/", "authorization: Bearer tk_1"]
    {
        assert!(head.contains(part), "{part}: {head}");
    }
    assert!(body.starts_with("0.50 → 0.45, by ada\n"), "{body}");
}

#[tokio::test]
async fn an_e_mail_goes_to_everybody_it_is_for() {
    let (port, heard) = mail(&[
        ("EHLO", "250-mail.example\r\n250 8BITMIME"),
        ("MAIL FROM:<desk@probity.example>", "250 ok"),
        ("RCPT TO:", "251 forwarded"),
        ("DATA", "354 go on"),
        (".", "250 taken"),
        ("QUIT", "221 bye"),
    ]);
    messenger(Some(port)).send(&server(port, Security::None), &message()).await.unwrap();
    let heard = heard.recv().unwrap();
    for part in ["RCPT TO:<ada@example.org>", "RCPT TO:<bob@example.org>", "Subject: =?UTF-8?B?"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
}

#[tokio::test]
async fn a_mail_server_without_tls_gets_nothing_where_tls_is_wanted() {
    let (port, heard) = mail(&[("EHLO", "250 mail.example"), ("STARTTLS", "502 no")]);
    let sent = messenger(Some(port)).send(&server(port, Security::Starttls), &message()).await;
    assert!(matches!(sent, Err(SendError::Lasting(_))), "{sent:?}");
    let heard = heard.recv().unwrap();
    assert!(!heard.contains("MAIL FROM"), "{heard}");
}

#[tokio::test]
async fn a_mail_server_that_is_busy_is_asked_again_and_one_that_refuses_is_not() {
    for (reply, passes) in [("451 later", true), ("550 nobody", false)] {
        let script: &'static [(&str, &str)] = match passes {
            true => &[("EHLO", "250 x"), ("MAIL", "451 later")],
            false => &[("EHLO", "250 x"), ("MAIL", "550 nobody")],
        };
        let (port, _heard) = mail(script);
        let sent = messenger(Some(port)).send(&server(port, Security::None), &message()).await;
        let error = sent.unwrap_err();
        assert_eq!(matches!(error, SendError::Passing(_)), passes, "{reply}: {error}");
    }
}
