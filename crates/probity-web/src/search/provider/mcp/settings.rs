//! What the configuration says about an MCP server's search tool.

use std::time::Duration;

use probity_core::WebUrl;
use serde::{Deserialize, Serialize};

use crate::search::name::ProviderName;
use crate::search::select::{OWN, PROVIDERS_MAX, WEB};
use crate::search::settings::{SettingsError, TIMEOUT_MAX, seconds};

/// How long a search may take, starting the server included, unless set otherwise.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The longest name of a provider.
const NAME_CHARS: usize = 40;
/// The most arguments of a command, and the most variables that are passed on.
const ARGUMENTS_MOST: usize = 64;

/// A search tool of an MCP server: one entry of `search.mcp`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpSettings {
    /// The provider's name, for `--search`.
    pub name: String,
    /// The command that starts the server, which then speaks over its pipes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The command's arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The environment variables that the command may see, besides `PATH` and `HOME`.
    #[serde(default)]
    pub env: Vec<String>,
    /// The address of a server that runs already, instead of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<WebUrl>,
    /// The environment variable that holds the token for that address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
    /// The tool that searches.
    pub tool: String,
    /// The tool's argument for the query.
    #[serde(default = "query")]
    pub query: String,
    /// The tool's argument for the number of results, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The fields of a result.
    #[serde(default)]
    pub fields: McpFields,
    /// How many seconds a search may take, starting the server included.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds")]
    pub timeout: Option<Duration>,
}

/// Where in an answer the results are, and what their fields are called: names, or JSON pointers
/// such as `/source/url`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpFields {
    /// The list of results; looked for where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<String>,
    /// The address.
    pub url: String,
    /// The title.
    pub title: String,
    /// The excerpt.
    pub snippet: String,
    /// The day of publication.
    pub published: String,
}

impl Default for McpFields {
    fn default() -> Self {
        Self {
            results: None,
            url: "url".to_owned(),
            title: "title".to_owned(),
            snippet: "snippet".to_owned(),
            published: "published".to_owned(),
        }
    }
}

fn query() -> String {
    "query".to_owned()
}

impl McpSettings {
    /// How long a search may take.
    pub(super) fn time(&self) -> Duration {
        self.timeout.unwrap_or(TIMEOUT)
    }

    fn check(&self) -> Result<(), (&'static str, String)> {
        let wrong = |field, why: &str| Err((field, why.to_owned()));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || self.name.len() > NAME_CHARS || !self.name.chars().all(plain) {
            return wrong("name", "is 1 to 40 small letters, digits and hyphens");
        }
        let name = self.name.as_str();
        if ["auto", WEB].contains(&name)
            || OWN.contains(&name)
            || ProviderName::find(&self.name).is_some()
        {
            return wrong("name", "is the name of another provider; choose a different one");
        }
        match (&self.command, &self.url) {
            (Some(command), None) if !command.trim().is_empty() => {}
            (None, Some(_)) => {}
            _ => return wrong("command", "give either a command or a url"),
        }
        if self.url.is_some() && !(self.args.is_empty() && self.env.is_empty()) {
            return wrong("args", "belong to a command; a url has none");
        }
        if self.command.is_some() && self.token_env.is_some() {
            return wrong("token_env", "belongs to a url; a command gets its token by `env`");
        }
        if self.args.len() > ARGUMENTS_MOST || self.env.len() > ARGUMENTS_MOST {
            return wrong("args", "are too many; at most 64 are passed on");
        }
        if self.tool.trim().is_empty() || self.query.trim().is_empty() {
            return wrong("tool", "and `query` name the tool and its argument");
        }
        if self.timeout.is_some_and(|time| time.is_zero() || time > TIMEOUT_MAX) {
            let why = format!("must be more than 0 and at most {} seconds", TIMEOUT_MAX.as_secs());
            return Err(("timeout", why));
        }
        Ok(())
    }
}

/// Checks every entry, and that no two have one name.
pub(crate) fn check_all(entries: &[McpSettings]) -> Result<(), SettingsError> {
    if entries.len() > PROVIDERS_MAX {
        let reason = format!("has {} entries; at most {PROVIDERS_MAX} are used", entries.len());
        return Err(SettingsError { name: "mcp".to_owned(), reason });
    }
    for (at, entry) in entries.iter().enumerate() {
        let place = |field: &str| format!("mcp[{at}].{field}");
        entry.check().map_err(|(field, reason)| SettingsError { name: place(field), reason })?;
        if entries.iter().take(at).any(|other| other.name == entry.name) {
            let reason = format!("`{}` is given twice", entry.name);
            return Err(SettingsError { name: place("name"), reason });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(change: serde_json::Value) -> McpSettings {
        let mut entry = json!({ "name": "notes", "command": "notes-mcp", "tool": "search" });
        let (entry_map, change) = (entry.as_object_mut().unwrap(), change);
        for (key, value) in change.as_object().unwrap() {
            match value.is_null() {
                true => entry_map.remove(key),
                false => entry_map.insert(key.clone(), value.clone()),
            };
        }
        serde_json::from_value(entry).unwrap()
    }

    #[test]
    fn an_entry_names_one_server_one_tool_and_a_name_of_its_own() {
        check_all(&[entry(json!({}))]).unwrap();
        let url = json!({ "command": null, "url": "http://127.0.0.1:9000/mcp" });
        check_all(&[entry(json!({})), entry(json!({ "name": "other" }))]).unwrap();
        check_all(&[entry(url)]).unwrap();
        for (change, named) in [
            (json!({ "name": "Brave" }), "mcp[0].name"),
            (json!({ "name": "brave" }), "mcp[0].name"),
            (json!({ "name": "library" }), "mcp[0].name"),
            (json!({ "name": "a,b" }), "mcp[0].name"),
            (json!({ "command": null }), "mcp[0].command"),
            (json!({ "url": "http://127.0.0.1:9000/mcp" }), "mcp[0].command"),
            (json!({ "tool": " " }), "mcp[0].tool"),
            (json!({ "token_env": "TOKEN" }), "mcp[0].token_env"),
            (json!({ "timeout": 0.0 }), "mcp[0].timeout"),
        ] {
            let error = check_all(&[entry(change.clone())]).unwrap_err();
            assert_eq!(error.name, named, "{change}");
        }
        let twice = check_all(&[entry(json!({})), entry(json!({}))]).unwrap_err();
        assert_eq!(twice.name, "mcp[1].name");
    }
}
