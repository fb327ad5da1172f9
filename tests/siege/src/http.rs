//! As much of an HTTP client as a siege needs, from a source address of its own.

use socket2::{Domain, Socket, Type};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// The time after which a client gives up.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Connects from one of the loopback's addresses.
pub fn connect(from: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((from, 0)).into())?;
    socket.connect_timeout(&to.into(), PATIENCE)?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A request as it is sent.
pub fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {length}\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

/// Sends a request and reads the answer; gives its status and how much of a body it has.
pub fn ask(stream: &mut TcpStream, request: &[u8]) -> io::Result<(u16, usize)> {
    stream.write_all(request)?;
    read(&mut BufReader::new(stream))
}

fn read(stream: &mut impl BufRead) -> io::Result<(u16, usize)> {
    let broken = || io::Error::from(io::ErrorKind::InvalidData);
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status: u16 = status.ok_or(io::ErrorKind::UnexpectedEof)?;
    let (mut length, mut is_chunked) = (0, false);
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let header = line.trim_end().to_ascii_lowercase();
        match header.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().map_err(|_| broken())?,
            Some(("transfer-encoding", _)) => is_chunked = true,
            Some(_) => {}
            None => break,
        }
    }
    if !is_chunked {
        io::copy(&mut stream.take(length as u64), &mut io::sink())?;
        return Ok((status, length));
    }
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let chunk = usize::from_str_radix(line.trim_end(), 16).map_err(|_| broken())?;
        // The line end after each chunk, too.
        io::copy(&mut stream.take(chunk as u64 + 2), &mut io::sink())?;
        length += chunk;
        if chunk == 0 {
            return Ok((status, length));
        }
    }
}
