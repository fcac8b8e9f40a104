//! One table of providers and fields, for settings that have a section for each provider.

/// Writes `of` and `of_mut`: where the settings of a provider are. The caller has `ProviderName` and
/// `ProviderSettings`.
#[macro_export]
macro_rules! settings_by_provider {
    ($settings:ident { $($name:ident => $field:ident),+ $(,)? }) => {
        impl $settings {
            /// The settings of one provider.
            pub fn of(&self, provider: ProviderName) -> &ProviderSettings {
                match provider { $(ProviderName::$name => &self.$field),+ }
            }

            /// The settings of one provider, to change them.
            pub fn of_mut(&mut self, provider: ProviderName) -> &mut ProviderSettings {
                match provider { $(ProviderName::$name => &mut self.$field),+ }
            }
        }
    };
}
