//! `countersign-localnet`: runs a local network until it is interrupted.

use clap::Parser;
use countersign_localnet::{Config, Localnet, network::Topology};
use std::{error::Error, io::Write as _};

/// A local network that speaks the Internet Computer's public interface. Prints one line of JSON
/// with its URLs, and runs until it is interrupted.
#[derive(Parser)]
struct Arguments {
    /// The port of the network; 0: any free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The port of the control interface; 0: any free one.
    #[arg(long, default_value_t = 0)]
    control_port: u16,
    /// Decides the network's keys: another seed is another network.
    #[arg(long, default_value = "countersign")]
    seed: String,
    /// Certify through a delegation from a root subnet.
    #[arg(long)]
    delegated: bool,
    /// With the canisters of which a person has to be warned: one that publishes no interface, one
    /// that calls itself by another's symbol, one that says of itself what would do harm.
    #[arg(long)]
    odd: bool,
    /// With ledgers that have rules of their own: one like the cycles ledger, one like the ICP
    /// ledger, and a minter that knows no repetition.
    #[arg(long)]
    special: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut config = Config {
        seed: arguments.seed,
        port: arguments.port,
        control_port: arguments.control_port,
        topology: if arguments.delegated {
            Topology::Delegated
        } else {
            Topology::Root
        },
        ..Config::default()
    };
    if arguments.odd {
        config = config.with_odd_ones();
    }
    if arguments.special {
        config = config.with_special_ones();
    }
    let handle = Localnet::start(config)?;
    let root_key: String = handle
        .root_key
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let line = serde_json::json!({
        "url": handle.url,
        "control_url": handle.control_url,
        "root_key": root_key,
    });
    let mut out = std::io::stdout();
    writeln!(out, "{line}")?;
    out.flush()?;
    tokio::signal::ctrl_c().await?;
    Ok(())
}
