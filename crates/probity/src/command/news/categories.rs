//! `probity news categories`: what readers want to know about.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_server::api::categories::CategoryView;
use probity_store::topics::{Category, CategoryChange, CategoryError, NewCategory};

use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity news categories`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Add a category: a name, what belongs to it, and if you like examples and keywords.
    Add(AddArgs),
    /// List all categories.
    List,
    /// Show one category.
    Show(NameArgs),
    /// Change a category. If its words change, articles are judged again.
    Edit(EditArgs),
    /// Remove a category, with what was judged and decided for it.
    Remove(NameArgs),
}

/// A category by its name.
#[derive(clap::Args)]
pub(crate) struct NameArgs {
    /// The category's name.
    name: String,
}

/// What may be typed after `probity news categories add`.
#[derive(clap::Args)]
pub(crate) struct AddArgs {
    /// The category's name.
    name: String,
    /// What belongs to it, in a sentence or two.
    #[arg(required_unless_present = "described")]
    description: Option<String>,
    /// The same as an option, as `edit` takes it.
    #[arg(long = "description", value_name = "TEXT", conflicts_with = "description")]
    described: Option<String>,
    /// A headline that belongs to it. May be repeated.
    #[arg(long = "example", value_name = "HEADLINE")]
    examples: Vec<String>,
    /// A word that points to it. May be repeated, or separated by commas.
    #[arg(long = "keyword", value_name = "WORD", value_delimiter = ',')]
    keywords: Vec<String>,
    /// Fetch the full text of its articles.
    #[arg(long)]
    full_text: bool,
}

/// What may be typed after `probity news categories edit`.
#[derive(clap::Args)]
pub(crate) struct EditArgs {
    /// The category's name.
    name: String,
    /// Another name.
    #[arg(long, value_name = "NAME")]
    rename: Option<String>,
    /// Another description.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Headlines instead of the present examples. May be repeated.
    #[arg(long = "example", value_name = "HEADLINE")]
    examples: Vec<String>,
    /// Words instead of the present keywords. May be repeated, or separated by commas.
    #[arg(long = "keyword", value_name = "WORD", value_delimiter = ',')]
    keywords: Vec<String>,
    /// Whether the full text of its articles is fetched.
    #[arg(long, value_name = "BOOL")]
    full_text: Option<bool>,
}

/// Runs `probity news categories`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let category = match command {
        Command::List => return list(store.categories().await?, app),
        Command::Show(args) => store.category(&args.name).await,
        Command::Remove(args) => store.remove_category(&args.name).await,
        Command::Add(args) => {
            let AddArgs { name, description, described, examples, keywords, full_text } = args;
            let description = description.or(described).unwrap_or_default();
            let wants_full_text = full_text;
            let new = NewCategory { name, description, examples, keywords, wants_full_text };
            store.add_category(&new).await
        }
        Command::Edit(args) => {
            let some = |list: Vec<String>| (!list.is_empty()).then_some(list);
            let change = CategoryChange {
                name: args.rename,
                description: args.description,
                examples: some(args.examples),
                keywords: some(args.keywords),
                wants_full_text: args.full_text,
            };
            store.edit_category(&args.name, &change).await
        }
    };
    let category = category.map_err(explain)?;
    if app.json {
        output::print_json(&CategoryView::from(category))?;
    } else {
        output::print_line(&show(&category))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a person typed wrong is a usage error; the rest is a failure.
pub(super) fn explain(error: CategoryError) -> anyhow::Error {
    match error {
        CategoryError::Store(error) => error.into(),
        other => usage(other.to_string()),
    }
}

fn list(categories: Vec<Category>, app: &App) -> anyhow::Result<ExitCode> {
    if app.json {
        let views: Vec<CategoryView> = categories.into_iter().map(Into::into).collect();
        output::print_json(&views)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for one in &categories {
        let line = format!("{:<20}  {}", one.name, one.description);
        writeln!(out, "{}", printable::brief(&line, app.style.width().max(60)))?;
    }
    out.flush()?;
    if categories.is_empty() {
        output::note("There are no categories; `probity news categories add` adds one.");
    }
    Ok(ExitCode::SUCCESS)
}

fn show(category: &Category) -> String {
    let mut lines = vec![format!("{}: {}", category.name, category.description)];
    lines.extend(category.examples.iter().map(|example| format!("  example: {example}")));
    if !category.keywords.is_empty() {
        lines.push(format!("  keywords: {}", category.keywords.join(", ")));
    }
    if category.wants_full_text {
        lines.push("  full text: wanted".to_owned());
    }
    let lines: Vec<String> = lines.iter().map(|line| printable::line(line).to_string()).collect();
    lines.join("\n")
}
