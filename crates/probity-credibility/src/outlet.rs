//! Whose page an address is: unwrapping, registrable domain, aliases.
