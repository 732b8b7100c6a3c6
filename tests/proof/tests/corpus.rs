//! What fuzzing begins with, and what it found, is replayed.
#![cfg(not(target_arch = "wasm32"))]

use countersign_proof::fuzz::{Target, corpus};

#[test]
fn every_input_of_the_corpus_keeps_every_promise() {
    for target in Target::ALL {
        let files = std::fs::read_dir(corpus(target)).expect("the corpus is there");
        let mut count = 0;
        for file in files {
            let file = file.expect("a file").path();
            target.run(&std::fs::read(&file).expect("a file is read"));
            count += 1;
        }
        assert!(count >= 5, "{}: {count}", target.name());
    }
}
