//! What the user wants: who writes, who is searched, where things are kept.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use probity_core::{Secret, WebUrl};
use probity_model::ProviderName as ModelProvider;
use probity_model::settings::{BaseUrl, Choice, read_key};
use probity_store::Location;
use probity_web::search::{
    LIBRARY, NEWS, ProviderName, SearchSettings, SelectError, Selection, URLS,
};

use super::Args;
use crate::config::{Paths, Settings};
use crate::failure::{WithHint as _, usage};

/// The folder of keys beside the configuration file.
const KEYS: &str = "keys";

/// Where a key comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// A file of the user's, which stays as it is.
    File(PathBuf),
    /// Typed in; it goes into a file of its own, at this place.
    Typed(PathBuf, Secret),
}

impl Source {
    /// A key that was typed for someone.
    pub(super) fn typed(config: &Path, name: &str, key: Secret) -> anyhow::Result<Self> {
        key.check_key().map_err(|why| usage(format!("the key of {name} {why}")))?;
        let folder = std::path::absolute(config)?;
        let folder = folder.parent().unwrap_or(Path::new(".")).join(KEYS);
        Ok(Self::Typed(folder.join(name), key))
    }

    /// A file that was named for someone's key; `-` is stdin.
    fn named(config: &Path, name: &str, file: &Path) -> anyhow::Result<Self> {
        if file == Path::new("-") {
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line)?;
            return Self::typed(config, name, Secret::new(line.trim()));
        }
        let key = read_key(file)
            .map_err(|why| usage(format!("cannot read {}: {why}", file.display())))?;
        key.check_key().map_err(|why| usage(format!("the key in {} {why}", file.display())))?;
        Ok(Self::File(std::path::absolute(file)?))
    }

    /// The file that holds the key, or will.
    pub(super) fn path(&self) -> &Path {
        match self {
            Source::File(path) | Source::Typed(path, _) => path,
        }
    }

    fn key(&self) -> anyhow::Result<Secret> {
        match self {
            Source::Typed(_, key) => Ok(key.clone()),
            Source::File(path) => read_key(path)
                .map_err(|why| usage(format!("cannot read {}: {why}", path.display()))),
        }
    }
}

/// What goes into the configuration file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Plan {
    /// Who judges and writes.
    pub(super) model: Choice,
    /// Where the model's provider is.
    pub(super) base_url: Option<BaseUrl>,
    /// The key of the model's provider.
    pub(super) model_key: Option<Source>,
    /// Who is searched.
    pub(super) search: Selection,
    /// Where a provider of the user's own is.
    pub(super) search_url: Option<(ProviderName, WebUrl)>,
    /// The key of a search provider.
    pub(super) search_key: Option<(ProviderName, Source)>,
    /// Folders to index.
    pub(super) library: Vec<PathBuf>,
    /// Where things are kept, if not in the data folder.
    pub(super) store: Option<Secret>,
}

impl Plan {
    /// What the flags say.
    pub(super) fn from_flags(args: &Args, config: &Path) -> anyhow::Result<Self> {
        let stdin = |file: &Option<PathBuf>| file.as_deref() == Some(Path::new("-"));
        if stdin(&args.key_file) && stdin(&args.search_key_file) {
            return Err(usage("only one key can come from stdin"));
        }
        let mut plan = Plan::default();
        if let Some(text) = &args.model {
            plan.model = text.parse().map_err(|error| usage(format!("--model: {error}")))?;
        }
        if let Some(text) = &args.base_url {
            let url = text.parse().map_err(|error| usage(format!("--base-url {error}")))?;
            plan.base_url = Some(url);
        }
        let provider = plan.model_provider();
        if provider.is_none() && (plan.base_url.is_some() || args.key_file.is_some()) {
            return Err(usage("--base-url and --key-file need --model"))
                .hint("name a provider or a model, such as --model anthropic");
        }
        if let (Some(file), Some(provider)) = (&args.key_file, provider) {
            plan.model_key = Some(Source::named(config, provider.as_str(), file)?);
        }
        plan.take_search(args, config)?;
        for folder in &args.library {
            plan.library.push(folder_of(folder)?);
        }
        plan.store = args.store.as_deref().map(store_of).transpose()?;
        Ok(plan)
    }

    fn take_search(&mut self, args: &Args, config: &Path) -> anyhow::Result<()> {
        if let Some(text) = &args.search {
            self.search =
                Selection::parse(text).map_err(|error| usage(format!("--search: {error}")))?;
            self.check_names()?;
        }
        if let Some(text) = &args.searxng {
            self.search_url = Some((ProviderName::Searxng, search_url(text)?));
        }
        if let Some(file) = &args.search_key_file {
            let provider = self.keyed_provider().ok_or_else(|| {
                usage("--search-key-file needs --search with one provider that uses a key")
            })?;
            let source = Source::named(config, &format!("search-{provider}"), file)?;
            self.search_key = Some((provider, source));
        }
        Ok(())
    }

    /// Whether all providers of the selection exist. Whether each can be asked is found out by asking it.
    fn check_names(&self) -> anyhow::Result<()> {
        let Selection::Named(names) = &self.search else { return Ok(()) };
        let settings = SearchSettings::default();
        for name in names {
            let one = Selection::Named(vec![name.clone()]);
            if let Err(error @ SelectError::Unknown { .. }) =
                one.resolve(&settings, &[LIBRARY, NEWS, URLS])
            {
                return Err(usage(format!("--search: {error}")));
            }
        }
        Ok(())
    }

    /// The one provider of the selection that takes a key.
    fn keyed_provider(&self) -> Option<ProviderName> {
        let Selection::Named(names) = &self.search else { return None };
        let mut keyed = names
            .iter()
            .filter_map(|name| ProviderName::find(name))
            .filter(|provider| provider.spec().key.is_some());
        keyed.next().filter(|_| keyed.next().is_none())
    }

    /// Whose model it is.
    pub(super) fn model_provider(&self) -> Option<ModelProvider> {
        match &self.model {
            Choice::Auto | Choice::Embedded => None,
            Choice::Provider(provider) => Some(*provider),
            Choice::Model(name) => Some(name.provider),
        }
    }

    /// Keys that have to be written into files.
    pub(super) fn new_keys(&self) -> impl Iterator<Item = (&Path, &Secret)> {
        let sources = self.model_key.iter().chain(self.search_key.iter().map(|(_, key)| key));
        sources.filter_map(|source| match source {
            Source::Typed(path, key) => Some((path.as_path(), key)),
            Source::File(_) => None,
        })
    }

    /// The settings that the file will mean, with what the environment adds.
    pub(super) fn settings(&self, paths: &Paths) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        settings.model.default = self.model.clone();
        if let Some(provider) = self.model_provider() {
            let own = settings.model.of_mut(provider);
            own.base_url.clone_from(&self.base_url);
            own.key = self.model_key.as_ref().map(Source::key).transpose()?;
        }
        settings.search.providers = self.search.clone();
        if let Some((provider, url)) = &self.search_url {
            settings.search.of_mut(*provider).url = Some(url.clone());
        }
        if let Some((provider, source)) = &self.search_key {
            settings.search.of_mut(*provider).key = Some(source.key()?);
        }
        settings.store.url.clone_from(&self.store);
        settings.complete(paths)?;
        Ok(settings)
    }
}

/// The address of a search provider of the user's own.
pub(super) fn search_url(text: &str) -> anyhow::Result<WebUrl> {
    WebUrl::parse(text.trim()).map_err(|error| usage(format!("{}: {error}", text.trim())))
}

/// A folder of documents, by its whole path.
pub(super) fn folder_of(folder: &Path) -> anyhow::Result<PathBuf> {
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(std::path::absolute(folder)?),
        Ok(_) => Err(usage(format!("{} is not a folder", folder.display()))),
        Err(error) => Err(crate::failure::cannot_read(folder, error)),
    }
}

/// A place for the store. A path is taken from here, because the program may be called from elsewhere later.
pub(super) fn store_of(text: &str) -> anyhow::Result<Secret> {
    let text = text.trim();
    let location = Location::parse(text).map_err(|error| usage(format!("store: {error}")))?;
    match location.path() {
        Some(path) => Ok(Secret::new(std::path::absolute(path)?.display().to_string())),
        None => Ok(Secret::new(text)),
    }
}
