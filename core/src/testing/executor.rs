//! A single-threaded executor that is driven by hand: nothing here waits for real time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Runs spawned tasks turn by turn. A clone is another handle on the same queue, so that a task
/// can spawn more.
#[derive(Clone, Default)]
pub struct Executor {
    tasks: Rc<RefCell<VecDeque<Task>>>,
}

impl Executor {
    /// Without tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a task at the end of the queue.
    pub fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        self.tasks.borrow_mut().push_back(Box::pin(task));
    }

    /// Polls every task once, in order. Gives whether any is left.
    pub fn turn(&self) -> bool {
        let count = self.tasks.borrow().len();
        for _ in 0..count {
            let Some(mut task) = self.tasks.borrow_mut().pop_front() else {
                break;
            };
            let mut context = Context::from_waker(Waker::noop());
            if task.as_mut().poll(&mut context).is_pending() {
                self.tasks.borrow_mut().push_back(task);
            }
        }
        !self.tasks.borrow().is_empty()
    }

    /// Drops every task where it stands, as a worker that is killed does.
    pub fn kill(&self) {
        self.tasks.borrow_mut().clear();
    }
}

/// Pending once, so that other tasks have their turn and a worker can be killed here.
#[derive(Default)]
pub(super) struct Turn(bool);

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// Runs a future whose ports answer at once.
///
/// # Panics
///
/// Where it is still pending after a million polls: it waits for something that never comes.
pub fn run_native<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..1_000_000 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
    panic!("a future is pending for ever: it waits for something that never comes");
}
