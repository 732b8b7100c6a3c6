//! Opening the database, and what ends that.
//!
//! A connection that the browser closed (its files were lost or cleared) or that had to give way
//! (to a later version of the wallet) stays closed for the life of this worker. To open it again
//! could show an empty journal in the place of one in which payments are under way.

use super::migrations;
use crate::ports::timer::within;
use countersign_core::ports::store::StoreError;
use indexed_db_futures::database::Database;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::internals::SystemRepr as _;
use js_sys::{Function, Promise};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// How long opening may take before it counts as blocked.
const LIMIT_MS: u64 = 10_000;

enum State {
    /// Not asked for yet, or the last attempt failed.
    Closed,
    /// Being opened. The promise is fulfilled when the state is another.
    Opening(Promise),
    Open(Database),
    /// Never to be used again in this worker.
    Ended(StoreError),
}

/// The connection to one database.
pub(super) struct Connection {
    name: String,
    state: Rc<RefCell<State>>,
}

impl Connection {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            state: Rc::new(RefCell::new(State::Closed)),
        }
    }

    /// The open database.
    pub(super) async fn database(&self) -> Result<Database, StoreError> {
        let opening = match &*self.state.borrow() {
            State::Open(database) => return Ok(database.clone()),
            State::Ended(error) => return Err(error.clone()),
            State::Opening(promise) => Some(promise.clone()),
            State::Closed => None,
        };
        let opening = opening.unwrap_or_else(|| self.begin());
        // An attempt that is blocked goes on behind this: given up, it could still be carried out
        // later, and then without our step that makes the tables.
        if within(LIMIT_MS, &opening).await.is_none() {
            return Err(StoreError::Unavailable);
        }
        match &*self.state.borrow() {
            State::Open(database) => Ok(database.clone()),
            State::Ended(error) => Err(error.clone()),
            State::Closed | State::Opening(_) => Err(StoreError::Unavailable),
        }
    }

    fn begin(&self) -> Promise {
        let (name, state) = (self.name.clone(), Rc::clone(&self.state));
        let opening = future_to_promise(async move {
            let next = match open(&name).await {
                Ok(database) => {
                    listen(&database, &state);
                    State::Open(database)
                }
                Err(error) if is_newer(&error) => State::Ended(StoreError::Newer),
                Err(_) => State::Closed,
            };
            *state.borrow_mut() = next;
            Ok(JsValue::UNDEFINED)
        });
        *self.state.borrow_mut() = State::Opening(opening.clone());
        opening
    }
}

async fn open(name: &str) -> Result<Database, OpenDbError> {
    Database::open(name)
        .with_version(migrations::VERSION)
        .with_on_upgrade_needed(migrations::run)
        .await
}

fn is_newer(error: &OpenDbError) -> bool {
    match error {
        OpenDbError::Base(Error::DomException(DomException::Other(error))) => {
            error.name() == "VersionError"
        }
        _ => false,
    }
}

/// Ends the connection when the browser closes it, and when another one wants a later version.
fn listen(database: &Database, state: &Rc<RefCell<State>>) {
    let ended = |close: Option<Database>| -> Function {
        let state = Rc::clone(state);
        Closure::once_into_js(move || {
            *state.borrow_mut() = State::Ended(StoreError::Unavailable);
            if let Some(database) = close {
                database.close();
            }
        })
        .unchecked_into()
    };
    let system = database.as_sys();
    system.set_onclose(Some(&ended(None)));
    system.set_onversionchange(Some(&ended(Some(database.clone()))));
}
