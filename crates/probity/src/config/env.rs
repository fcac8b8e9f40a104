//! The one registry of environment variables. A variable that is not here is not read.

/// An environment variable that Probity reads.
pub(crate) struct Var {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it does, for the documentation.
    pub(crate) what: &'static str,
}

impl Var {
    /// Its value, if it is set to anything but nothing.
    pub(crate) fn get(&self) -> Option<String> {
        std::env::var(self.name).ok().filter(|value| !value.is_empty())
    }

    /// Whether it is set to anything but nothing.
    pub(crate) fn is_set(&self) -> bool {
        std::env::var_os(self.name).is_some_and(|value| !value.is_empty())
    }
}

/// The value of a registered variable by its name, for libraries that name theirs.
pub(crate) fn lookup(name: &str) -> Option<String> {
    ALL.iter().find(|var| var.name == name).and_then(Var::get)
}

macro_rules! registry {
    ($($name:ident: $what:literal;)*) => {
        $(pub(crate) const $name: Var = Var { name: stringify!($name), what: $what };)*
        /// Every variable, in the order of the documentation.
        pub(crate) const ALL: &[Var] = &[$($name),*];
    };
}

registry! {
    PROBITY_HOME: "The data folder, unless --data-dir is given.";
    PROBITY_CONFIG: "The configuration file, unless --config is given.";
    PROBITY_STORE: "The store: a path, sqlite:PATH or postgres://…; a password in it is never shown.";
    PROBITY_STORE_FILE: "A file that holds the value of PROBITY_STORE.";
    PROBITY_LISTEN: "The address of the PostgreSQL server itself, if PROBITY_STORE names a pooler.";
    PROBITY_LOG: "Which log lines to write, such as `probity=debug`; -v does the same by level.";
    PROBITY_NOW: "A fixed current time such as 2026-03-01T12:00:00Z, for repeatable output.";
    ANTHROPIC_API_KEY: "The key of Anthropic's models.";
    ANTHROPIC_API_KEY_FILE: "A file that holds the key of Anthropic's models.";
    ANTHROPIC_BASE_URL: "The address of Anthropic's models, if not Anthropic's own.";
    OPENAI_API_KEY: "The key of OpenAI's models.";
    OPENAI_API_KEY_FILE: "A file that holds the key of OpenAI's models.";
    OPENAI_BASE_URL: "The address of OpenAI's models, if not OpenAI's own; its chat API is used there.";
    GEMINI_API_KEY: "The key of Google's Gemini models.";
    GEMINI_API_KEY_FILE: "A file that holds the key of Google's Gemini models.";
    GOOGLE_API_KEY: "The key of Google's Gemini models, if GEMINI_API_KEY is not set.";
    GOOGLE_API_KEY_FILE: "A file that holds the key of Google's Gemini models, if GEMINI_API_KEY is not set.";
    GEMINI_BASE_URL: "The address of Google's Gemini models, if not Google's own.";
    OLLAMA_HOST: "The address of your Ollama server.";
    OPENROUTER_API_KEY: "The key of OpenRouter.";
    OPENROUTER_API_KEY_FILE: "A file that holds the key of OpenRouter.";
    OPENROUTER_BASE_URL: "The base URL of OpenRouter.";
    GROQ_API_KEY: "The key of Groq.";
    GROQ_API_KEY_FILE: "A file that holds the key of Groq.";
    GROQ_BASE_URL: "The base URL of Groq.";
    DEEPSEEK_API_KEY: "The key of DeepSeek.";
    DEEPSEEK_API_KEY_FILE: "A file that holds the key of DeepSeek.";
    DEEPSEEK_BASE_URL: "The base URL of DeepSeek.";
    MISTRAL_API_KEY: "The key of Mistral.";
    MISTRAL_API_KEY_FILE: "A file that holds the key of Mistral.";
    MISTRAL_BASE_URL: "The base URL of Mistral.";
    XAI_API_KEY: "The key of xAI.";
    XAI_API_KEY_FILE: "A file that holds the key of xAI.";
    XAI_BASE_URL: "The base URL of xAI.";
    TOGETHER_API_KEY: "The key of Together.";
    TOGETHER_API_KEY_FILE: "A file that holds the key of Together.";
    TOGETHER_BASE_URL: "The base URL of Together.";
    AZURE_OPENAI_API_KEY: "The key of Azure OpenAI.";
    AZURE_OPENAI_API_KEY_FILE: "A file that holds the key of Azure OpenAI.";
    AZURE_OPENAI_BASE_URL: "The base URL of Azure OpenAI.";
    AWS_BEARER_TOKEN_BEDROCK: "The key of Amazon Bedrock.";
    AWS_BEARER_TOKEN_BEDROCK_FILE: "A file that holds the key of Amazon Bedrock.";
    AWS_ACCESS_KEY_ID: "The name of a key of Amazon's that signs requests to Bedrock, where there is no other.";
    AWS_SECRET_ACCESS_KEY: "The key that AWS_ACCESS_KEY_ID names. It is never sent.";
    AWS_SESSION_TOKEN: "What belongs to a key of Amazon's that is good for a while only.";
    AWS_REGION: "The region of Bedrock.";
    AWS_DEFAULT_REGION: "The region of Bedrock, if AWS_REGION is not set.";
    BEDROCK_BASE_URL: "The base URL of Amazon Bedrock.";
    VERTEX_ACCESS_TOKEN: "An access token of Vertex AI.";
    VERTEX_ACCESS_TOKEN_FILE: "A file that holds the key of Vertex AI.";
    GOOGLE_APPLICATION_CREDENTIALS: "The key file of a service account that is granted tokens of Vertex AI, where there is none. Its key is never sent.";
    GOOGLE_CLOUD_PROJECT: "The project of Vertex AI, if not that of the service account.";
    GOOGLE_CLOUD_LOCATION: "The region of Vertex AI, or `global`.";
    VERTEX_BASE_URL: "The base URL of Vertex AI.";
    LMSTUDIO_BASE_URL: "The base URL of LM Studio.";
    LLAMA_API_KEY: "The key of llama.cpp's server.";
    LLAMA_API_KEY_FILE: "A file that holds the key of llama.cpp's server.";
    LLAMA_BASE_URL: "The base URL of llama.cpp's server.";
    VLLM_API_KEY: "The key of vLLM.";
    VLLM_API_KEY_FILE: "A file that holds the key of vLLM.";
    VLLM_BASE_URL: "The base URL of vLLM.";
    PROBITY_MODEL_KEY: "The key of the provider `compatible`.";
    PROBITY_MODEL_KEY_FILE: "A file that holds the key of the provider `compatible`.";
    PROBITY_MODEL_URL: "The base URL of the provider `compatible`: any server with OpenAI's chat API.";
    SEARXNG_URL: "The address of your SearXNG instance.";
    TAVILY_API_KEY: "The key of the search provider Tavily.";
    BRAVE_API_KEY: "The key of the search provider Brave.";
    EXA_API_KEY: "The key of the search provider Exa.";
    SERPER_API_KEY: "The key of the search provider Serper.";
    GOOGLE_CSE_KEY: "The key of Google's Programmable Search Engine.";
    GOOGLE_CSE_ID: "The id of the Programmable Search Engine that is searched.";
    SERPAPI_API_KEY: "The key of the search provider SerpApi.";
    KAGI_API_KEY: "The key of the search provider Kagi.";
    BING_SEARCH_URL: "The address of a service with Bing's search API.";
    BING_API_KEY: "The key of the service at BING_SEARCH_URL.";
    JINA_API_KEY: "The key of the search provider Jina.";
    PERPLEXITY_API_KEY: "The key of the search provider Perplexity.";
    MOJEEK_API_KEY: "The key of the search provider Mojeek, whose page is read without one.";
    GUARDIAN_API_KEY: "The key of the Guardian's archive.";
    STACK_EXCHANGE_KEY: "The key of the search provider Stack Exchange, for more requests.";
    GITHUB_SEARCH_TOKEN: "A token for searching GitHub, for more requests.";
    OPENALEX_API_KEY: "The key of the search provider OpenAlex, which limits requests without one.";
    OPENALEX_MAILTO: "An e-mail address that OpenAlex may write to about our requests.";
    CROSSREF_MAILTO: "An e-mail address that Crossref may write to about our requests.";
    SEMANTIC_SCHOLAR_API_KEY: "The key of the search provider Semantic Scholar, for more requests.";
    NCBI_API_KEY: "The key of the search provider PubMed, for more requests.";
    NCBI_MAILTO: "An e-mail address that PubMed may write to about our requests.";
    PROBITY_WEBHOOK_SECRET: "The secret that signs messages to the webhook of [alerts].";
    PROBITY_NTFY_TOKEN: "The token of the ntfy topic of [alerts].";
    PROBITY_SMTP_PASSWORD: "The password of the mail server of [alerts].";
    PROBITY_OIDC_SECRET: "This program's secret at the provider of [oidc].";
    NO_COLOR: "Set to anything: no colour.";
    USER: "The owner of runs that `research --queue` queues.";
    VISUAL: "The editor for plans.";
    EDITOR: "The editor for plans, if VISUAL is not set.";
    TERM: "`dumb`: no colour and no live progress.";
}

#[cfg(test)]
mod tests {
    use probity_web::search::SearchSettings;

    use super::*;

    #[test]
    fn every_variable_of_searching_is_registered() {
        for (name, _) in SearchSettings::variables() {
            assert!(ALL.iter().any(|var| var.name == name), "{name}");
        }
    }

    #[test]
    fn every_variable_of_language_models_is_registered() {
        for name in probity_model::ModelSettings::variables() {
            assert!(ALL.iter().any(|var| var.name == name), "{name}");
        }
    }
}
