//! A few histories in every test run; `cargo xtask faults` plays a hundred thousand.

use countersign_core::testing::simulate_signatures;
use countersign_faults::history::play;
use countersign_faults::peers::{Peer, duplicates};
use countersign_faults::template::Template;

/// How many.
const FEW: u64 = 60;

fn played_for(secret: Option<[u8; 32]>, seeds: std::ops::Range<u64>) {
    simulate_signatures(secret);
    let template = Template::new();
    for seed in seeds {
        let report = play(&template, seed, false);
        let wrong: Vec<String> = report.verdict.all().collect();
        assert!(
            wrong.is_empty(),
            "seed {seed}: cargo xtask faults --tell --seed {seed}\n{}",
            wrong.join("\n")
        );
    }
}

#[test]
fn nothing_is_paid_twice_lost_called_failed_or_stuck() {
    played_for(Some([7; 32]), 0..FEW);
}

#[test]
fn a_history_is_the_same_where_the_network_really_signs() {
    played_for(None, 0..2);
    simulate_signatures(None);
    let template = Template::new();
    let real = play(&template, 1, false);
    simulate_signatures(Some([7; 32]));
    let template = Template::new();
    let simulated = play(&template, 1, false);
    assert_eq!(real.met, simulated.met);
    assert_eq!(real.ended, simulated.ended);
}

#[test]
fn the_naive_loop_pays_twice_on_the_same_histories() {
    simulate_signatures(Some([7; 32]));
    let template = Template::new();
    let paid_too_often = |peer| {
        let seeds = 0..FEW;
        seeds
            .map(|seed| duplicates(&template, seed, peer))
            .sum::<u64>()
    };
    let (naive, key_only) = (paid_too_often(Peer::Loop), paid_too_often(Peer::KeyOnly));
    assert!(naive > key_only, "{naive} and {key_only}");
    assert!(key_only > 0);
}
