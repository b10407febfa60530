//! Connections that are open, and which of them goes when there are too many.
//!
//! Contract: a visitor that the server waits for (for a head, a body, or until an answer has been read) makes room for the next
//! one when all places are taken, whoever has let it wait longest first. One whose request is being answered is never sent away.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// All that are there.
pub(crate) struct Visitors {
    places: usize,
    state: Mutex<State>,
    /// Told when one has gone or is awaited again: there may be room.
    changed: Notify,
}

struct State {
    next: u64,
    there: HashMap<u64, Visitor>,
}

struct Visitor {
    task: AbortHandle,
    /// Since when the server has waited for it; none while its request is being answered.
    awaited_since: Option<Instant>,
}

/// One of them, gone when this is dropped.
pub(crate) struct Place {
    visitors: Arc<Visitors>,
    number: u64,
}

impl Visitors {
    pub(crate) fn new(places: usize) -> Arc<Self> {
        let state = Mutex::new(State { next: 0, there: HashMap::new() });
        Arc::new(Visitors { places, state, changed: Notify::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a place is free; sends away who has let the server wait longest.
    pub(crate) async fn make_room(&self) {
        while !self.has_room() {
            self.changed.notified().await;
        }
    }

    fn has_room(&self) -> bool {
        let mut state = self.lock();
        if state.there.len() < self.places {
            return true;
        }
        let awaited = state.there.iter().filter_map(|(number, one)| Some((one.awaited_since?, *number)));
        let Some((_, number)) = awaited.min() else { return false };
        if let Some(visitor) = state.there.remove(&number) {
            visitor.task.abort();
        }
        true
    }

    /// Gives a place to a visitor, whom `start` serves in a task.
    pub(crate) fn welcome(self: &Arc<Self>, start: impl FnOnce(Arc<Place>) -> AbortHandle) {
        // The task may end at once: it is known before its end can be told.
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        let task = start(Arc::new(Place { visitors: Arc::clone(self), number }));
        state.there.insert(number, Visitor { task, awaited_since: Some(Instant::now()) });
    }
}

impl Place {
    /// A request is there, to be answered.
    pub(crate) fn begin_answer(&self) {
        self.set(None);
    }

    /// It is answered: the server waits for the visitor again.
    pub(crate) fn end_answer(&self) {
        self.set(Some(Instant::now()));
        // All others may be in the middle of an answer: this one may be the only one who can be sent away.
        self.visitors.changed.notify_one();
    }

    fn set(&self, awaited_since: Option<Instant>) {
        if let Some(visitor) = self.visitors.lock().there.get_mut(&self.number) {
            visitor.awaited_since = awaited_since;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.visitors.lock().there.remove(&self.number);
        self.visitors.changed.notify_one();
    }
}
