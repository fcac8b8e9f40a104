//! The element names that extraction distinguishes.

macro_rules! tags {
    ($($variant:ident $name:literal,)*) => {
        /// An element by name. Names that no rule asks for are [`Tag::Other`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Tag {
            /// A run of text, not an element.
            Text,
            /// Any other element.
            Other,
            $(
                #[doc = concat!("`<", $name, ">`")]
                $variant,
            )*
        }

        impl Tag {
            /// The element of a lower-case name.
            pub(crate) fn of(name: &[u8]) -> Tag {
                $(
                    const $variant: &[u8] = $name.as_bytes();
                )*
                match name {
                    $($variant => Tag::$variant,)*
                    _ => Tag::Other,
                }
            }

            /// How many there are: the length of a table by tag.
            pub(crate) const COUNT: usize = [$(Tag::$variant,)*].len() + 2;
        }
    };
}

#[expect(non_upper_case_globals, reason = "the constants of the macro are named like the variants")]
mod named {
    tags! {
        A "a", Abbr "abbr", Address "address", Annotation "annotation", Applet "applet", Area "area",
        Article "article", Aside "aside", Audio "audio", B "b", Base "base", Big "big",
        Blockquote "blockquote", Body "body", Br "br", Button "button", Canvas "canvas",
        Caption "caption", Center "center", Cite "cite", Code "code", Col "col",
        Colgroup "colgroup", Datalist "datalist", Dd "dd", Del "del", Details "details",
        Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed",
        Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Font "font",
        Footer "footer", Form "form", Frame "frame", Frameset "frameset", H1 "h1", H2 "h2",
        H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup",
        Hr "hr", Html "html", I "i", Iframe "iframe", Img "img", Input "input", Ins "ins",
        Kbd "kbd", Label "label", Legend "legend", Li "li", Link "link", Listing "listing",
        Main "main", Marquee "marquee", Math "math", Menu "menu", Meta "meta", Nav "nav",
        Nobr "nobr", Noembed "noembed", Noframes "noframes", Noscript "noscript",
        Object "object", Ol "ol", Optgroup "optgroup", Option "option", Output "output", P "p",
        Param "param", Picture "picture", Plaintext "plaintext", Pre "pre",
        Progress "progress", Q "q", Rp "rp", Rt "rt", Ruby "ruby", S "s", Samp "samp",
        Script "script", Search "search", Section "section", Select "select", Small "small",
        Source "source", Span "span", Strike "strike", Strong "strong", Style "style", Sub "sub",
        Summary "summary", Sup "sup", Svg "svg", Table "table", Tbody "tbody", Td "td",
        Template "template", Textarea "textarea", Tfoot "tfoot", Th "th", Thead "thead",
        Time "time", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul", Var "var",
        Video "video", Wbr "wbr", Xmp "xmp",
    }
}

pub(crate) use named::Tag;

impl Tag {
    /// The level of a heading.
    pub(crate) fn heading(self) -> Option<u8> {
        Some(match self {
            Tag::H1 => 1,
            Tag::H2 => 2,
            Tag::H3 => 3,
            Tag::H4 => 4,
            Tag::H5 => 5,
            Tag::H6 => 6,
            _ => return None,
        })
    }

    /// Elements that never have content, so no end tag is waited for.
    pub(crate) fn is_void(self) -> bool {
        matches!(
            self,
            Tag::Area
                | Tag::Base
                | Tag::Br
                | Tag::Col
                | Tag::Embed
                | Tag::Frame
                | Tag::Hr
                | Tag::Img
                | Tag::Input
                | Tag::Link
                | Tag::Meta
                | Tag::Param
                | Tag::Source
                | Tag::Track
                | Tag::Wbr
        )
    }

    /// Elements that start on a line of their own.
    pub(crate) fn is_block(self) -> bool {
        self.closes_paragraph()
            || self.is_table_part()
            || matches!(self, Tag::Html | Tag::Body | Tag::Legend | Tag::Title | Tag::Optgroup)
    }

    /// Elements whose start tag ends an open paragraph.
    pub(crate) fn closes_paragraph(self) -> bool {
        self.heading().is_some()
            || matches!(
                self,
                Tag::Address
                    | Tag::Article
                    | Tag::Aside
                    | Tag::Blockquote
                    | Tag::Center
                    | Tag::Dd
                    | Tag::Details
                    | Tag::Dialog
                    | Tag::Dir
                    | Tag::Div
                    | Tag::Dl
                    | Tag::Dt
                    | Tag::Fieldset
                    | Tag::Figcaption
                    | Tag::Figure
                    | Tag::Footer
                    | Tag::Form
                    | Tag::Header
                    | Tag::Hgroup
                    | Tag::Hr
                    | Tag::Li
                    | Tag::Listing
                    | Tag::Main
                    | Tag::Menu
                    | Tag::Nav
                    | Tag::Ol
                    | Tag::P
                    | Tag::Plaintext
                    | Tag::Pre
                    | Tag::Search
                    | Tag::Section
                    | Tag::Summary
                    | Tag::Table
                    | Tag::Ul
                    | Tag::Xmp
            )
    }

    /// Rows, cells and groups of a table.
    pub(crate) fn is_table_part(self) -> bool {
        self.is_cell() || self.is_row_group() || matches!(self, Tag::Tr | Tag::Caption)
    }

    /// Cells of a table.
    pub(crate) fn is_cell(self) -> bool {
        matches!(self, Tag::Td | Tag::Th)
    }

    /// Groups of rows of a table.
    pub(crate) fn is_row_group(self) -> bool {
        matches!(self, Tag::Tbody | Tag::Thead | Tag::Tfoot)
    }

    /// Elements that only change how text looks: their end tags close across blocks.
    pub(crate) fn is_formatting(self) -> bool {
        matches!(
            self,
            Tag::A
                | Tag::B
                | Tag::Big
                | Tag::Code
                | Tag::Em
                | Tag::Font
                | Tag::I
                | Tag::Nobr
                | Tag::S
                | Tag::Small
                | Tag::Strike
                | Tag::Strong
                | Tag::Tt
                | Tag::U
        )
    }

    /// Elements across which an end tag does not reach.
    pub(crate) fn bounds_scope(self) -> bool {
        self.is_cell()
            || matches!(
                self,
                Tag::Applet
                    | Tag::Caption
                    | Tag::Html
                    | Tag::Table
                    | Tag::Marquee
                    | Tag::Object
                    | Tag::Template
            )
    }

    /// Elements whose text is never read: programs, embedded media, controls.
    pub(crate) fn is_never_text(self) -> bool {
        matches!(
            self,
            Tag::Annotation
                | Tag::Applet
                | Tag::Area
                | Tag::Audio
                | Tag::Base
                | Tag::Button
                | Tag::Canvas
                | Tag::Datalist
                | Tag::Embed
                | Tag::Frame
                | Tag::Frameset
                | Tag::Head
                | Tag::Iframe
                | Tag::Img
                | Tag::Input
                | Tag::Link
                | Tag::Meta
                | Tag::Noembed
                | Tag::Noframes
                | Tag::Noscript
                | Tag::Object
                | Tag::Optgroup
                | Tag::Option
                | Tag::Param
                | Tag::Progress
                | Tag::Rp
                | Tag::Rt
                | Tag::Script
                | Tag::Select
                | Tag::Source
                | Tag::Style
                | Tag::Svg
                | Tag::Template
                | Tag::Textarea
                | Tag::Title
                | Tag::Track
                | Tag::Video
        )
    }
}
