//! Permit → page, within the limits: addresses, sizes, time, robots, politeness.
