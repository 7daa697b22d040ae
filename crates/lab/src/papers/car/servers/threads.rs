//! Serves TCP by two threads for each client (Fig 3). The *Server Receiver Thread* reads, and appends messages to their
//! receivers' queues. The *Server Processor Thread* writes its client's queue. A queue is contiguous bytes, so a
//! late processor thread writes the whole queue in one call.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;

use super::ServerAckLatencyRecorder;
use super::select::hello;
use crate::papers::car::exchange::{AckForwardingPolicy, ClientGroupLayout, PendingAckCounter};
use crate::papers::car::message::{GroupMessage, MessageKind, MessageSplitter};

/// Stack size: there are thousands of threads, and none calls deep.
pub(super) const STACK_BYTES: usize = 64 * 1_024;
const READ_BYTES: usize = 16 * 1_024;

/// The state shared between one client's threads and all other threads.
#[derive(Debug, Default)]
struct SharedClientState {
    queue: Mutex<Vec<u8>>,
    filled: Condvar,
    waiting: Mutex<PendingAckCounter>,
}

#[derive(Debug)]
struct ThreadedServer {
    groups: ClientGroupLayout,
    acks: AckForwardingPolicy,
    clients: Vec<SharedClientState>,
    times: Arc<ServerAckLatencyRecorder>,
}

pub(super) fn serve(
    listener: &TcpListener,
    (groups, acks): (ClientGroupLayout, AckForwardingPolicy),
    times: Arc<ServerAckLatencyRecorder>,
) -> Result<()> {
    let clients = (0..groups.clients).map(|_| SharedClientState::default()).collect();
    let server = Arc::new(ThreadedServer { groups, acks, clients, times });
    let mut present = vec![false; groups.clients];
    loop {
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        let client = hello(&stream)?;
        let (reading, writing) = (Arc::clone(&server), Arc::clone(&server));
        let other = stream.try_clone()?;
        let begin = || thread::Builder::new().stack_size(STACK_BYTES);
        begin().spawn(move || reading.receive(client, stream))?;
        begin().spawn(move || writing.process(client, other))?;
        present[client] = true;
        let members = groups.members(client);
        if present[members.clone()].iter().all(|present| *present) {
            members.for_each(|member| server.put(member, &GroupMessage::about(MessageKind::Welcome, member)));
        }
    }
}

impl ThreadedServer {
    fn receive(&self, client: usize, mut stream: TcpStream) {
        let (mut splitter, mut scratch) = (MessageSplitter::default(), vec![0; READ_BYTES]);
        while let Ok(read @ 1..) = stream.read(&mut scratch) {
            splitter.feed(&scratch[..read], |message| self.handle(client, message));
        }
    }

    fn handle(&self, client: usize, message: GroupMessage) {
        let Some(source) = self.clients.get(message.source as usize) else { return };
        match message.kind {
            MessageKind::Update => self.times.note_update(message.source as usize),
            MessageKind::Ack => self.times.note_ack(message.source as usize),
            MessageKind::Hello | MessageKind::Welcome | MessageKind::AllAcks => {}
        }
        match (message.kind, self.acks) {
            (MessageKind::Update, acks) => {
                if acks == AckForwardingPolicy::Active {
                    lock(&source.waiting).begin(message.turn, self.groups.others(client));
                }
                let members = self.groups.members(client);
                members.filter(|member| *member != client).for_each(|member| self.put(member, &message));
            }
            (MessageKind::Ack, AckForwardingPolicy::Passive) => self.put(message.source as usize, &message),
            (MessageKind::Ack, AckForwardingPolicy::Active) => {
                let is_last = lock(&source.waiting).count(message.turn);
                if is_last {
                    self.put(message.source as usize, &GroupMessage { kind: MessageKind::AllAcks, ..message });
                }
            }
            (MessageKind::Hello | MessageKind::Welcome | MessageKind::AllAcks, _) => {}
        }
    }

    fn put(&self, client: usize, message: &GroupMessage) {
        let client = &self.clients[client];
        let mut queue = lock(&client.queue);
        let was_empty = queue.is_empty();
        message.write(&mut queue);
        drop(queue);
        if was_empty {
            client.filled.notify_one();
        }
    }

    fn process(&self, client: usize, mut stream: TcpStream) {
        let client = &self.clients[client];
        let mut taken = Vec::new();
        loop {
            let mut queue = lock(&client.queue);
            while queue.is_empty() {
                queue = client.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            std::mem::swap(&mut *queue, &mut taken);
            drop(queue);
            if stream.write_all(&taken).is_err() {
                return;
            }
            taken.clear();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
