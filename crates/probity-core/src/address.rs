//! Which IP addresses are on the public internet, and which are someone's inside.
//!
//! Whatever fetches on behalf of others must stay on the outside: an address that a page, a feed
//! or a redirect names may point at this machine, its network, or a cloud's metadata service. The
//! ranges are those of the IANA special-purpose registries, read strictly: where a range is
//! deprecated, reserved or unclear, it is not public. An IPv6 address that carries an IPv4 address
//! is judged by the one it carries. Some clouds serve the inside of their machines at addresses of
//! public ranges; those are closed by name (`PROVIDERS_V4`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is an ordinary one on the public internet.
///
/// ```
/// use probity_core::address::is_public;
///
/// assert!(is_public("1.1.1.1".parse()?));
/// assert!(!is_public("192.168.0.1".parse()?));
/// assert!(!is_public("::ffff:127.0.0.1".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// IPv4 ranges that are not public: first address and length of the prefix.
const CLOSED_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // carriers' shared space
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, cloud metadata
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 31, 196, 0], 24), // AS112
    ([192, 52, 193, 0], 24), // multicast tunnels
    ([192, 88, 99, 0], 24),  // 6to4 relays, deprecated
    ([192, 168, 0, 0], 16),  // private
    ([192, 175, 48, 0], 24), // AS112
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, broadcast
];

/// Addresses of public ranges at which a provider's machines reach the provider itself: metadata,
/// credentials, internal services. No one publishes pages there. The other providers' metadata
/// services lie in ranges that are closed anyway (169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24,
/// fc00::/7).
const PROVIDERS_V4: &[([u8; 4], u32)] = &[
    ([168, 63, 129, 16], 32), // Azure: host agent, DNS, health probes
    ([192, 80, 8, 124], 32),  // Equinix Metal: metadata
    ([161, 26, 0, 0], 16),    // IBM Cloud: internal services
    ([166, 8, 0, 0], 14),     // IBM Cloud: internal endpoints
];

/// IPv6 ranges inside global unicast that are not public: first segments and length of the prefix.
const CLOSED_V6: &[([u16; 4], u32)] = &[
    ([0x2001, 0, 0, 0], 23), // protocol assignments: Teredo, benchmarks, ORCHID and the like
    ([0x2001, 0xdb8, 0, 0], 32), // documentation
    ([0x2620, 0x4f, 0x8000, 0], 48), // AS112
    ([0x3fff, 0, 0, 0], 20), // documentation
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !CLOSED_V4
        .iter()
        .chain(PROVIDERS_V4)
        .any(|(first, length)| (bits ^ u32::from(Ipv4Addr::from(*first))) >> (32 - length) == 0)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match [a, b, c, d, e, f] {
        // IPv4-mapped, and NAT64 with its well-known prefix.
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => return is_public_v4(v4(g, h)),
        // 6to4.
        [0x2002, ..] => return is_public_v4(v4(b, c)),
        _ => {}
    }
    // Only 2000::/3 is given out as global unicast; loopback, unspecified, local, site-local,
    // link-local, multicast, discard-only, IPv4-compatible and local NAT64 lie outside it.
    if a >> 13 != 0b001 {
        return false;
    }
    // ISATAP hides an IPv4 address in the interface's part of an otherwise public address.
    if e & 0xfdff == 0 && f == 0x5efe && !is_public_v4(v4(g, h)) {
        return false;
    }
    let prefix = |[a, b, c, d]: [u16; 4]| {
        (u64::from(a) << 48) | (u64::from(b) << 32) | (u64::from(c) << 16) | u64::from(d)
    };
    let bits = prefix([a, b, c, d]);
    !CLOSED_V6.iter().any(|(first, length)| (bits ^ prefix(*first)) >> (64 - length) == 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap())
    }

    #[test]
    fn ordinary_addresses_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
        ] {
            assert!(public(text), "{text}");
        }
    }

    #[test]
    fn special_ranges_are_not_public_from_the_first_to_the_last_address() {
        for text in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.0",
            "127.255.255.255",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.255",
            "192.0.2.0",
            "192.0.2.255",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.0",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::2",
            "::7f00:1",
            "::ffff:0:127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "64:ff9b:1::808:808",
            "100::1",
            "100:0:0:1::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:1::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2001:db8:ffff::1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "2002:a9fe:a9fe::1",
            "2606:4700::5efe:7f00:1",
            "2606:4700::200:5efe:a00:1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "ff0e::1",
        ] {
            assert!(!public(text), "{text}");
        }
    }

    #[test]
    fn what_providers_serve_to_their_own_machines_is_not_public() {
        for text in [
            "168.63.129.16",
            "::ffff:168.63.129.16",
            "64:ff9b::a83f:8110",
            "2002:a83f:8110::1",
            "192.80.8.124",
            "161.26.0.10",
            "161.26.255.255",
            "166.8.0.0",
            "166.11.255.255",
            "169.254.169.254",
            "169.254.170.2",
            "169.254.42.42",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd20:ce::254",
        ] {
            assert!(!public(text), "{text}");
        }
        for neighbour in ["168.63.129.15", "168.63.129.17", "161.25.255.255", "166.12.0.0"] {
            assert!(public(neighbour), "{neighbour}");
        }
    }

    proptest! {
        #[test]
        fn carrying_an_address_never_makes_it_more_public(bits in any::<u32>()) {
            let plain = Ipv4Addr::from(bits);
            let (high, low) = ((bits >> 16) as u16, (bits & 0xffff) as u16);
            for carrier in [
                plain.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            ] {
                prop_assert_eq!(is_public(carrier.into()), is_public(plain.into()));
            }
            prop_assert!(!is_public(plain.to_ipv6_compatible().into()));
        }

        #[test]
        fn what_the_standard_library_calls_private_is_not_public(bits in any::<u32>()) {
            let address = Ipv4Addr::from(bits);
            if address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_broadcast() || address.is_documentation() || address.is_multicast()
                || address.is_unspecified()
            {
                prop_assert!(!is_public(address.into()));
            }
        }
    }
}
