//! Has the linker keep one of several functions that are the same instructions, where it can.

use std::env;
use std::path::Path;
use std::process::Command;

/// Where rustc links with its own LLD unless it is told otherwise.
const TARGET: &str = "x86_64-unknown-linux-gnu";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_optimised = env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    if is_optimised && links_with_lld() {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// Whether the linker is the one that comes with rustc. Other linkers may not know the option, so nothing is
/// asked of one that was configured, or of a toolchain that comes without its own.
fn links_with_lld() -> bool {
    let is_default = env::var_os("RUSTC_LINKER").is_none()
        && env::var_os("CARGO_ENCODED_RUSTFLAGS").is_none_or(|flags| flags.is_empty());
    let is_target = ["HOST", "TARGET"].iter().all(|name| env::var(name).as_deref() == Ok(TARGET));
    is_default && is_target && lld_is_there().unwrap_or(false)
}

fn lld_is_there() -> Option<bool> {
    let rustc = env::var_os("RUSTC")?;
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    let tools = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("bin");
    Some(tools.join("gcc-ld/ld.lld").exists())
}
