//! What surrounds every page: head, navigation, who is logged in.

use crate::access::{Caller, LOCAL, Scope, Via};
use crate::assets::Head;
use crate::state::Server;

/// The places of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Ask,
    Runs,
    News,
    Outlets,
    Library,
    None,
}

/// What surrounds a page.
pub(crate) struct Frame {
    pub(crate) title: String,
    pub(crate) tab: Tab,
    pub(crate) head: Head,
    /// Who is logged in; none without log-in.
    pub(crate) user: Option<String>,
    /// What forms carry.
    pub(crate) form_key: String,
    /// Whether the caller may ask questions.
    pub(crate) asks: bool,
    /// Whether the caller may change scores.
    pub(crate) edits: bool,
    /// Whether the caller may delete.
    pub(crate) rules: bool,
    /// The name that signs changes without log-in.
    pub(crate) signs: bool,
    /// The text in the search field.
    pub(crate) searched: String,
}

impl Frame {
    pub(crate) fn new(server: &Server, caller: &Caller, title: &str, tab: Tab) -> Self {
        let (user, form_key) = match &caller.via {
            Via::OpenDoor => (None, server.form_key.clone()),
            Via::Session { form_key } => (Some(caller.name.clone()), form_key.clone()),
            Via::Token => (Some(caller.name.clone()), String::new()),
        };
        Self {
            user,
            form_key,
            tab,
            asks: caller.may(Scope::Research),
            edits: caller.may(Scope::Ledger),
            rules: caller.may(Scope::Admin),
            signs: caller.via == Via::OpenDoor && caller.name == LOCAL,
            ..Self::bare(title)
        }
    }

    /// A frame for whoever it may be: for problems and for logging in.
    pub(crate) fn bare(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            tab: Tab::None,
            head: Head::new(),
            user: None,
            form_key: String::new(),
            asks: false,
            edits: false,
            rules: false,
            signs: false,
            searched: String::new(),
        }
    }
}
