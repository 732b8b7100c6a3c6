//! The second copy: files of the origin-private file system.
//!
//! A file is written to a copy that takes its place when it is closed (File System, 2.5.2), so that
//! no half of a write is ever seen. It is made before that: a worker that dies in between leaves an
//! empty file, which counts as none.

use countersign_core::ports::{self, MirrorError};
use js_sys::{AsyncIterator, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DomException, FileSystemDirectoryHandle, FileSystemFileHandle,
    FileSystemGetDirectoryOptions, FileSystemGetFileOptions, FileSystemWritableFileStream,
    WorkerGlobalScope,
};

/// A folder of the origin-private file system.
#[derive(Clone, Debug)]
pub struct OpfsMirror {
    folder: String,
}

impl OpfsMirror {
    /// The folder with this name, made where it is not there.
    #[must_use]
    pub fn new(folder: &str) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    async fn folder(&self) -> Result<FileSystemDirectoryHandle, JsValue> {
        let scope: WorkerGlobalScope = js_sys::global().dyn_into()?;
        let root: FileSystemDirectoryHandle =
            settled(scope.navigator().storage().get_directory()).await?;
        let options = FileSystemGetDirectoryOptions::new();
        options.set_create(true);
        settled(root.get_directory_handle_with_options(&self.folder, &options)).await
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
        let options = FileSystemGetFileOptions::new();
        options.set_create(true);
        let folder = self.folder().await?;
        let file: FileSystemFileHandle =
            settled(folder.get_file_handle_with_options(name, &options)).await?;
        let copy: FileSystemWritableFileStream = settled(file.create_writable()).await?;
        // Bytes of the wasm's memory may move while they are awaited.
        let bytes = Uint8Array::from(bytes);
        JsFuture::from(copy.write_with_js_u8_array(&bytes)?).await?;
        JsFuture::from(copy.close()).await?;
        Ok(())
    }

    async fn take(&self, name: &str) -> Result<Option<Vec<u8>>, JsValue> {
        let folder = self.folder().await?;
        let file = match settled::<FileSystemFileHandle>(folder.get_file_handle(name)).await {
            Ok(file) => file,
            Err(error) if is_not_found(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let blob: Blob = settled(file.get_file()).await?;
        let bytes = JsFuture::from(blob.array_buffer()).await?;
        let bytes = Uint8Array::new(&bytes).to_vec();
        Ok((!bytes.is_empty()).then_some(bytes))
    }

    async fn delete(&self, name: &str) -> Result<(), JsValue> {
        let folder = self.folder().await?;
        match JsFuture::from(folder.remove_entry(name)).await {
            Err(error) if !is_not_found(&error) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn list(&self) -> Result<Vec<String>, JsValue> {
        let keys: AsyncIterator = self.folder().await?.keys();
        let mut names = Vec::new();
        loop {
            let next = JsFuture::from(keys.next()?).await?;
            if Reflect::get(&next, &"done".into())?.is_truthy() {
                return Ok(names);
            }
            names.extend(Reflect::get(&next, &"value".into())?.as_string());
        }
    }
}

async fn settled<T: JsCast>(promise: Promise) -> Result<T, JsValue> {
    JsFuture::from(promise).await?.dyn_into()
}

fn is_not_found(error: &JsValue) -> bool {
    let error: Option<&DomException> = error.dyn_ref();
    error.is_some_and(|error| error.name() == "NotFoundError")
}

impl ports::Mirror for OpfsMirror {
    async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), MirrorError> {
        self.put(name, bytes).await.map_err(|_| MirrorError)
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, MirrorError> {
        self.take(name).await.map_err(|_| MirrorError)
    }

    async fn remove(&self, name: &str) -> Result<(), MirrorError> {
        self.delete(name).await.map_err(|_| MirrorError)
    }

    async fn names(&self) -> Result<Vec<String>, MirrorError> {
        self.list().await.map_err(|_| MirrorError)
    }
}
