//! Several futures at once on one thread, and several tasks one after the other. Our own because core has no executor, and a library for
//! this brings one.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Runs all of them to their end: one that waits does not keep the others waiting.
pub(super) async fn together<F: Future<Output = ()>>(futures: Vec<F>) {
    Together(
        futures
            .into_iter()
            .map(|future| Some(Box::pin(future)))
            .collect(),
    )
    .await;
}

struct Together<F>(Vec<Option<Pin<Box<F>>>>);

impl<F: Future<Output = ()>> Future for Together<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut pending = false;
        for slot in &mut self.0 {
            if let Some(future) = slot {
                match future.as_mut().poll(context) {
                    Poll::Ready(()) => *slot = None,
                    Poll::Pending => pending = true,
                }
            }
        }
        if pending {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }
}

/// Lets one task in at a time. Whoever is in leaves in every case: the worker drops no task.
#[derive(Debug, Default)]
pub(super) struct Turnstile {
    taken: bool,
    waiting: Vec<Waker>,
}

impl Turnstile {
    /// Goes in, or waits until somebody left.
    pub(super) fn enter(&mut self, context: &Context<'_>) -> Poll<()> {
        if self.taken {
            self.waiting.push(context.waker().clone());
            return Poll::Pending;
        }
        self.taken = true;
        Poll::Ready(())
    }

    /// Goes out. All who wait are woken, and one of them is the next.
    pub(super) fn leave(&mut self) {
        self.taken = false;
        std::mem::take(&mut self.waiting)
            .into_iter()
            .for_each(Waker::wake);
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::testing::run_native;
    use std::cell::RefCell;

    #[test]
    fn one_that_waits_keeps_nobody_waiting() {
        struct Turns(u32);
        impl Future for Turns {
            type Output = ();
            fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
                self.0 = self.0.saturating_sub(1);
                if self.0 == 0 {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            }
        }
        let order = RefCell::new(Vec::new());
        let wait = |name: &'static str, turns| {
            let order = &order;
            async move {
                Turns(turns).await;
                order.borrow_mut().push(name);
            }
        };
        run_native(together(vec![
            wait("slow", 5),
            wait("fast", 1),
            wait("middle", 3),
        ]));
        assert_eq!(*order.borrow(), ["fast", "middle", "slow"]);
    }
}
