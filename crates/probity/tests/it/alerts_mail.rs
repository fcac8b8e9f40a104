//! E-mail over TLS, with the real program and a real TLS server that has a certificate authority of its own.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::program::{Program, Ran};

const PASSWORD: &str = "planted-password-0123";

/// A certificate authority, its certificate in a file.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &Path, name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let file = folder.join(format!("{name}.pem"));
        std::fs::write(&file, issuer.pem()).unwrap();
        Self { issuer, file }
    }

    /// What a server of this name shows.
    fn server(&self, name: &str) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider);
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        Arc::new(config.with_single_cert(vec![certificate.der().clone()], key).unwrap())
    }
}

/// How a mail server begins.
#[derive(Clone, Copy, PartialEq)]
enum Begins {
    Tls,
    Starttls,
    /// It knows no TLS at all.
    Plain,
}

/// A mail server; gives its port and what it hears, line by line.
fn mail_server(config: Arc<ServerConfig>, begins: Begins) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, hear) = channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let secure = |stream: TcpStream| {
                StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream)
            };
            match begins {
                Begins::Tls => talk(secure(stream), &tell, true),
                Begins::Plain => talk(stream, &tell, true),
                Begins::Starttls => {
                    if until_starttls(&mut stream, &tell) {
                        talk(secure(stream), &tell, false);
                    }
                }
            }
        }
    });
    (port, hear)
}

/// The plain beginning, a byte at a time, so that nothing of what comes after is read.
fn until_starttls(stream: &mut TcpStream, tell: &Sender<String>) -> bool {
    stream.write_all(b"220 mail\r\n").unwrap();
    let (mut line, mut byte) = (String::new(), [0]);
    while stream.read(&mut byte).unwrap_or(0) == 1 {
        line.push(char::from(byte[0]));
        if byte[0] != b'\n' {
            continue;
        }
        let said = std::mem::take(&mut line).trim().to_owned();
        let starts = said == "STARTTLS";
        let answer = if starts { "220 go on\r\n" } else { "250-mail\r\n250 STARTTLS\r\n" };
        tell.send(format!("plain: {said}")).unwrap();
        stream.write_all(answer.as_bytes()).unwrap();
        if starts {
            return true;
        }
    }
    false
}

fn talk(stream: impl Read + Write, tell: &Sender<String>, greets: bool) {
    let mut stream = BufReader::new(stream);
    if greets && stream.get_mut().write_all(b"220 mail\r\n").is_err() {
        return;
    }
    let (mut line, mut in_text) = (String::new(), false);
    while stream.read_line(&mut line).unwrap_or(0) > 0 {
        let said = std::mem::take(&mut line).trim_end().to_owned();
        let answer: &[u8] = match said.split(' ').next().unwrap_or_default() {
            "." => b"250 taken\r\n",
            _ if in_text => b"",
            "DATA" => b"354 go on\r\n",
            "AUTH" => b"235 welcome\r\n",
            "QUIT" => b"221 bye\r\n",
            "STARTTLS" => b"502 not here\r\n",
            _ => b"250 fine\r\n",
        };
        in_text = (in_text || said == "DATA") && said != ".";
        let _ = tell.send(said);
        if stream.get_mut().write_all(answer).and_then(|()| stream.get_mut().flush()).is_err() {
            return;
        }
    }
}

fn program(port: u16, security: &str) -> Program {
    let program = Program::new();
    let config = format!(
        "[fetch]\nallow_hosts = [\"127.0.0.1:{port}\"]\n[alerts.mail]\nhost = \"127.0.0.1\"\n\
         port = {port}\nsecurity = \"{security}\"\nuser = \"desk\"\nfrom = \"desk@probity.example\"\n\
         to = [\"ada@example.org\"]\n"
    );
    std::fs::write(program.config(), config).unwrap();
    program
}

/// Sends a test message, trusting this authority alone.
fn send(program: &Program, trusted: &Authority) -> Ran {
    let mut command = program.command(&["-v", "alerts", "test"]);
    command.env("SSL_CERT_FILE", &trusted.file).env("PROBITY_SMTP_PASSWORD", PASSWORD);
    let ran = Ran(command.output().unwrap());
    assert!(!(ran.stdout() + &ran.stderr()).contains(PASSWORD), "the password is shown");
    ran
}

fn login() -> String {
    format!("AUTH PLAIN {}", BASE64.encode(format!("\0desk\0{PASSWORD}")))
}

#[test]
fn a_message_goes_over_tls_from_the_beginning_or_after_starttls() {
    let folder = tempfile::tempdir().unwrap();
    let ours = Authority::new(folder.path(), "ours");
    for (begins, security) in [(Begins::Tls, "tls"), (Begins::Starttls, "starttls")] {
        let (port, heard) = mail_server(ours.server("127.0.0.1"), begins);
        let program = program(port, security);
        let ran = send(&program, &ours);
        assert!(ran.ok().contains("mail: sent"), "{security}: {}", ran.stdout());
        let lines: Vec<String> = heard.try_iter().collect();
        assert!(lines.contains(&login()), "{security}: {lines:?}");
        assert!(lines.contains(&"RCPT TO:<ada@example.org>".to_owned()), "{lines:?}");
        let subject = "Subject: A test message of Probity".to_owned();
        assert!(lines.contains(&subject), "{lines:?}");
        let plain: Vec<_> = lines.iter().filter(|line| line.starts_with("plain: ")).collect();
        match begins {
            Begins::Starttls => assert_eq!(plain.len(), 2, "only the greeting is plain: {plain:?}"),
            _ => assert!(plain.is_empty(), "{plain:?}"),
        }
    }
}

#[test]
fn a_server_that_cannot_prove_its_name_is_told_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, theirs) =
        (Authority::new(folder.path(), "ours"), Authority::new(folder.path(), "theirs"));
    for (shown, why) in [
        (theirs.server("127.0.0.1"), "an authority that nobody trusts"),
        (ours.server("mail.example"), "a certificate of another name"),
    ] {
        for (begins, security) in [(Begins::Tls, "tls"), (Begins::Starttls, "starttls")] {
            let (port, heard) = mail_server(Arc::clone(&shown), begins);
            let ran = send(&program(port, security), &ours);
            assert_eq!(ran.code(), 1, "{why}");
            assert!(ran.stdout().contains("no TLS with 127.0.0.1"), "{why}: {}", ran.stdout());
            let lines: Vec<String> = heard.try_iter().collect();
            let secret = lines.iter().any(|line| line.starts_with("AUTH") || line.contains("MAIL"));
            assert!(!secret, "{why}: {lines:?}");
        }
    }
}

#[test]
fn a_server_without_tls_gets_no_password_and_no_message() {
    let folder = tempfile::tempdir().unwrap();
    let ours = Authority::new(folder.path(), "ours");
    let (port, heard) = mail_server(ours.server("127.0.0.1"), Begins::Plain);
    let ran = send(&program(port, "starttls"), &ours);
    assert_eq!(ran.code(), 1);
    assert!(ran.stdout().contains("502"), "{}", ran.stdout());
    let lines: Vec<String> = heard.try_iter().collect();
    assert_eq!(lines, ["EHLO probity.localdomain", "STARTTLS"], "{lines:?}");
}
