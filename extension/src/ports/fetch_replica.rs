//! HTTP to the network.
//!
//! Each request is one `fetch`, never repeated here. The browser itself may send the same bytes
//! once more where it had reused a connection that turns out to be closed; an envelope sent twice
//! has one request id and runs once.

use countersign_core::ports::{self, Exchange};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, Headers, ReadableStreamDefaultReader, ReferrerPolicy, Request, RequestCache,
    RequestCredentials, RequestInit, RequestRedirect, Response,
};

/// How long a request may take, body included. A synchronous call is answered after 10 seconds at
/// the latest by a boundary node; after this time no answer is to be expected.
const LIMIT_MS: u32 = 30_000;

/// The longest body that is read. A reply holds at most 2 MiB (Internet Computer, message limits)
/// beside its certificate.
const MOST_BYTES: usize = 4 * 1024 * 1024;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = fetch)]
    async fn fetch(request: &Request) -> Result<JsValue, JsValue>;
}

/// `fetch`.
#[derive(Clone, Copy, Debug, Default)]
pub struct FetchReplica;

impl ports::Replica for FetchReplica {
    async fn get(&self, url: &str) -> Exchange {
        exchange(url, None).await.unwrap_or(Exchange::NoAnswer)
    }

    async fn post(&self, url: &str, body: &[u8]) -> Exchange {
        exchange(url, Some(body))
            .await
            .unwrap_or(Exchange::NoAnswer)
    }
}

async fn exchange(url: &str, body: Option<&[u8]>) -> Result<Exchange, JsValue> {
    let request = Request::new_with_str_and_init(url, &settings(body)?)?;
    let response: Response = fetch(&request).await?.dyn_into()?;
    let status = response.status();
    Ok(match read(&response).await? {
        Some(body) => Exchange::Answer { status, body },
        None => Exchange::NoAnswer,
    })
}

fn settings(body: Option<&[u8]>) -> Result<RequestInit, JsValue> {
    let settings = RequestInit::new();
    settings.set_redirect(RequestRedirect::Error);
    settings.set_credentials(RequestCredentials::Omit);
    settings.set_cache(RequestCache::NoStore);
    settings.set_referrer_policy(ReferrerPolicy::NoReferrer);
    settings.set_signal(Some(&AbortSignal::timeout_with_u32(LIMIT_MS)));
    if let Some(body) = body {
        let headers = Headers::new()?;
        headers.set("content-type", "application/cbor")?;
        settings.set_method("POST");
        settings.set_headers(&headers);
        settings.set_body(&Uint8Array::from(body));
    }
    Ok(settings)
}

/// The body; `None` where it is longer than is read.
async fn read(response: &Response) -> Result<Option<Vec<u8>>, JsValue> {
    let Some(stream) = response.body() else {
        return Ok(Some(Vec::new()));
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut body = Vec::new();
    loop {
        let part = JsFuture::from(reader.read()).await?;
        if Reflect::get(&part, &"done".into())?.is_truthy() {
            return Ok(Some(body));
        }
        let bytes: Uint8Array = Reflect::get(&part, &"value".into())?.dyn_into()?;
        let at = body.len();
        let length = at + usize::try_from(bytes.length()).unwrap_or(MOST_BYTES);
        if length > MOST_BYTES {
            // Not awaited: nobody cares how it ends.
            let _ = reader.cancel();
            return Ok(None);
        }
        body.resize(length, 0);
        if let Some(room) = body.get_mut(at..) {
            bytes.copy_to(room);
        }
    }
}
