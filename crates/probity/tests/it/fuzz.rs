//! Everything that reads what strangers wrote, with what no stranger would write: nothing panics.
//!
//! `scripts/fuzz SECONDS` tries each for as long as that. What is tried is in [`targets`], for the fuzzer as well.

mod targets;

use std::io::Write as _;

use probity_core::Timestamp;
use probity_research::journal::Entry;
use probity_testkit::mutate;
use probity_web::extract::in_time::STACK_BYTES;

use crate::program::tree;

/// Tries a target on a stack like that of the threads that read documents.
fn drive(name: &str, seeds: &[Vec<u8>], words: &[&str], target: impl Fn(&[u8]) + Sync) {
    std::thread::scope(|scope| {
        let deep = std::thread::Builder::new().stack_size(STACK_BYTES);
        let trying =
            deep.spawn_scoped(scope, || mutate::drive(name, seeds, words, &target)).unwrap();
        trying.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The files of a folder of the tree, the small ones.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(tree().join(folder)).unwrap().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let chosen = paths.iter().filter(|path| path.to_string_lossy().ends_with(ending));
    let read = chosen.filter_map(|path| std::fs::read(path).ok());
    read.filter(|bytes| bytes.len() < 40_000).take(12).collect()
}

fn packed(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut file = Stored::default();
    parts.iter().for_each(|(name, text)| file.add(name, text.as_bytes()));
    file.finish()
}

/// A ZIP file without compression, written by hand, so that changes reach what it holds.
#[derive(Default)]
struct Stored {
    bytes: Vec<u8>,
    list: Vec<u8>,
    count: u16,
}

impl Stored {
    fn add(&mut self, name: &str, body: &[u8]) {
        let start = u32::try_from(self.bytes.len()).unwrap();
        let size = u32::try_from(body.len()).unwrap().to_le_bytes();
        let sum = crc(body).to_le_bytes();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let head =
            [&[20, 0, 0, 0, 0, 0, 0, 0, 33, 0][..], &sum, &size, &size, &length, &[0, 0]].concat();
        self.bytes.extend([b"PK\x03\x04".as_slice(), &head, name.as_bytes(), body].concat());
        let entry = [
            b"PK\x01\x02\x14\x00".as_slice(),
            &head,
            &[0; 10],
            &start.to_le_bytes(),
            name.as_bytes(),
        ];
        self.list.extend(entry.concat());
        self.count += 1;
    }

    fn finish(self) -> Vec<u8> {
        let (start, size) = (self.bytes.len() as u32, self.list.len() as u32);
        let count = self.count.to_le_bytes();
        let end = [
            b"PK\x05\x06\0\0\0\0".as_slice(),
            &count,
            &count,
            &size.to_le_bytes(),
            &start.to_le_bytes(),
            &[0, 0],
        ];
        [self.bytes, self.list, end.concat()].concat()
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[test]
fn addresses() {
    let seeds = texts(&[
        "https://www.example.co.uk:443/a/b/?utm_source=x&id=1#part",
        "https://news.google.com/rss/articles/CBMiSGh0dHBzOi8vd3d3LmV4YW1wbGUub3JnL2E?oc=5",
        "https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fa&sa=D",
        "https://web.archive.org/web/20260101000000/http://example.org/x",
        "https://example-org.cdn.ampproject.org/v/s/example.org/amp",
        "http://user:word@xn--bcher-kva.example:8080/%E2%82%AC?a[]=1&a=2",
        "https://[2001:db8::1]:99/",
    ]);
    let words = [
        "%00",
        "%2f",
        "xn--",
        "://",
        "//",
        "..",
        "@",
        "\u{202e}",
        "。",
        "&amp;",
        "?url=http://x.example",
    ];
    drive("addresses", &seeds, &words, targets::addresses);
}

const TAGS: [&str; 16] = [
    "<table>",
    "<tr><td>",
    "</td>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<li>",
    "<pre>",
    "<![CDATA[",
    "&#x110000;",
    "<svg>",
    "<template>",
    "<a href='//'>",
    "<h1>",
    "<meta charset=utf-16>",
];

#[test]
fn html() {
    let mut seeds = files("crates/probity-testkit/src/bad_web/pages", ".html");
    seeds.extend(files("examples/library", ".html"));
    seeds.extend(texts(&[
        "<html><head><title>T</title><script type=\"application/ld+json\">{\"@type\":\"ClaimReview\",\"claimReviewed\":\"x\"}</script></head>\
         <body><article><h1>Head</h1><p>One. Two.</p><table><tr><th>a<th>b<tr><td rowspan=2>1<td>2</table><ul><li>x<li>y</ul></article>",
    ]));
    drive("html", &seeds, &TAGS, targets::html);
}

#[test]
fn markdown_and_plain_text() {
    let mut seeds = files("examples/library", ".md");
    seeds.extend(texts(&["# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n  - y\n\n```\ncode\n```\n[l](u \"t\") ![i](j)\n"]));
    let words = ["|", "\n---\n", "```", "> ", "1. ", "[", "](", "\t", "\\", "<div>"];
    drive("markdown", &seeds, &words, targets::markdown);
    drive("plain_text", &seeds, &words, targets::plain_text);
}

#[test]
fn pdf() {
    let page = "BT /F1 12 Tf 40 700 Td (The moorings cost 38 crowns.) Tj T* [(a) -250 (b)] TJ ET";
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /a /b] >> >>";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /MediaBox [0 0 600 800] >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{page}\nendstream", page.len()),
        font.to_owned(),
    ];
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(file.len());
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let start = file.len();
    write!(file, "xref\n0 6\n0000000000 65535 f \n").unwrap();
    places.iter().for_each(|place| writeln!(file, "{place:010} 00000 n ").unwrap());
    write!(file, "trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").unwrap();
    let words = [
        "/Filter /FlateDecode",
        "/Filter [/ASCIIHexDecode /LZWDecode]",
        "4 0 R",
        "<<",
        ">>",
        "stream\n",
        "endobj",
        "BT",
        "ET",
        "Tj",
        "/Count 99999999",
        "/Prev 0",
        "/W [1 2 1]",
        "Do",
        "cm",
        "ID",
        "q q q q",
    ];
    drive("pdf", &[file], &words, targets::pdf);
}

#[test]
fn office_and_archives() {
    let word = "<w:document xmlns:w=\"w\"><w:body><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Moorings</w:t></w:r></w:p>\
                <w:tbl><w:tr><w:tc><w:p><w:r><w:t>38</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>";
    let docx = packed(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", word)]);
    let sheet = "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"ZZ9\"><v>38</v></c></row></sheetData></worksheet>";
    let xlsx = packed(&[
        ("[Content_Types].xml", "<Types/>"),
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
        ),
        ("xl/sharedStrings.xml", "<sst><si><t>fee</t></si></sst>"),
        ("xl/worksheets/sheet1.xml", sheet),
    ]);
    let epub = packed(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path=\"c.opf\"/></rootfiles></container>",
        ),
        (
            "c.opf",
            "<package><manifest><item id=\"a\" href=\"a.xhtml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>",
        ),
        ("a.xhtml", "<html><body><h1>One</h1><p>Text of the book.</p></body></html>"),
    ]);
    let odt = packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            "<office:document-content><office:body><office:text><text:h>One</text:h><text:p>Two<text:s text:c=\"9\"/></text:p></office:text></office:body></office:document-content>",
        ),
    ]);
    let words = [
        "PK\u{3}\u{4}",
        "../",
        "<!DOCTYPE a [<!ENTITY b \"c\">]>",
        "&b;",
        "<w:p>",
        "r=\"XFD1048576\"",
        "text:c=\"999999999\"",
        "</",
    ];
    drive("office", &[docx, xlsx, epub, odt], &words, targets::office);
    let rtf = texts(&[
        "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\b Moorings\\b0\\par 38 \\u8364? crowns\\'e9{\\*\\x y}}",
    ]);
    drive("rtf", &rtf, &["{", "}", "\\bin99999", "\\u-70000?", "\\'", "\\ucc9"], targets::rtf);
    let csv = texts(&["a,b,c\n1,\"x, y\",3\n\"new\nline\",\"\"\"q\"\"\",\n", "a;b\n1;2\n"]);
    drive("csv", &csv, &["\"", ",", ";", "\r\n", "\t"], targets::csv);
}

#[test]
fn mail() {
    let plain = "From: a@example.org\nSubject: =?utf-8?q?Moor=C3=ADngs?=\nDate: Mon, 4 May 2026 10:00:00 +0200\n\
                 Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>38 crowns</p>\n--b\n\
                 Content-Disposition: attachment; filename=\"a.txt\"\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n--b--\n";
    let mbox = format!(
        "From a@example.org Mon May  4 10:00:00 2026\n{plain}\nFrom b@example.org Tue May  5 10:00:00 2026\n{plain}"
    );
    let words = [
        "--b",
        "boundary=",
        "=?utf-8?b?",
        "?=",
        "Content-Type: message/rfc822\n\n",
        "\n\n",
        "From ",
    ];
    drive("mail", &texts(&[plain, &mbox]), &words, targets::mail);
}

#[test]
fn feeds_and_lists_of_feeds() {
    let seeds = texts(&[
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>G</title><item><title>A &amp; B</title><link>http://a.example/1</link>\
         <guid isPermaLink=\"false\">x</guid><pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate><description><![CDATA[<p>x</p>]]></description></item></channel></rss>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>G</title><entry><id>1</id><title type=\"html\">&lt;b&gt;</title>\
         <link rel=\"alternate\" href=\"/a\"/><updated>2026-05-04T10:00:00Z</updated><content type=\"xhtml\"><div>x</div></content></entry></feed>",
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"G\",\"items\":[{\"id\":\"1\",\"url\":\"http://a.example\",\"content_text\":\"x\"}]}",
        "<rdf:RDF xmlns:rdf=\"r\"><channel/><item><title>x</title><link>http://a.example</link></item></rdf:RDF>",
    ]);
    let words = [
        "<item>",
        "</item>",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE x [<!ENTITY a \"b\">]>",
        "&a;",
        "xmlns:x='y'",
        "<entry/>",
        "{\"items\":[",
    ];
    drive("feeds", &seeds, &words, targets::feeds);
    let lists = texts(&[
        "<opml version=\"2.0\"><head><title>t</title></head><body><outline text=\"a\"><outline type=\"rss\" xmlUrl=\"http://a.example\"/></outline></body></opml>",
    ]);
    drive("opml", &lists, &["<outline>", "</outline>", "xmlUrl=\"", "<body>"], targets::opml);
}

#[test]
fn answers_of_models() {
    let seeds = texts(&[
        "<think>{\"a\":1}</think>Here:\n```json\n{\"queries\": [\"a\", \"b\"],}\n```",
        "{\"headline\": \"H\", \"findings\": [{\"heading\": \"x\", \"statements\": [{\"text\": \"y\", \"facts\": [\"F1\"]}]}]}",
        "QUERIES:\n- one\n- two\nSCORE: 4\nWHY: it says so",
        "{'score': 4, why: \"unclosed",
    ]);
    let words = [
        "{", "}", "[", "]", "\"", "```", "<think>", "</think>", ",", ":", "\\u0000", "\\ud800",
        "null", "- ",
    ];
    drive("answers", &seeds, &words, targets::answers);
}

#[test]
fn reports_and_exports() {
    let saved = files("crates/probity-report/tests/fixtures", ".json");
    drive(
        "saved_reports",
        &saved,
        &["null", "[]", "{}", "\"\"", "-1", "\\u202e"],
        targets::saved_reports,
    );
    let markdown = texts(&[
        "# H\n\n## Methodology\n\n- **Initial Question:** q\n\n## Executive Summary\n\nOne. Two.\n\n## Main Findings\n\n### T\n\nA claim [1].\n\n\
                            ## Conflicting Information\n\nNone.\n\n## Confidence Assessment\n\n- **Confidence Level:** Low\n\n## Sources\n\n1. [T](https://a.example) — credibility 0.5\n",
    ]);
    drive(
        "our_markdown",
        &markdown,
        &["## ", "### ", "[1]", "](", "- **", "\n\n", "| a |"],
        targets::our_markdown,
    );
}

#[test]
fn journals() {
    let entry = |kind: &str, inputs: &str, output: &str| Entry {
        key: Entry::key_of(kind, inputs),
        kind: kind.to_owned(),
        inputs: inputs.to_owned(),
        digest: Entry::digest_of(output),
        output: output.to_owned(),
        at: Timestamp(0),
        millis: 0,
    };
    let whole = serde_json::to_vec(&[
        entry("plan", "\"q\"", "{\"queries\":[]}"),
        entry("search", "\"q\"", "{\"hits\":[]}"),
    ])
    .unwrap();
    drive("journals", &[whole], &["\"key\":", "null", "[]", "{}", "\"plan\""], targets::journals);
}

#[test]
fn weights_and_texts_of_the_reader() {
    let whole = br#"{"format":"x"}"#.to_vec();
    let head = [&8_u64.to_le_bytes()[..], b"{\"a\":{}}", &[0; 64]].concat();
    drive(
        "weights",
        &[whole, head],
        &["\"dtype\":\"F32\"", "\"shape\":[4294967296]", "\"data_offsets\":[0,1]", "{}"],
        targets::weights,
    );
    let prose = texts(&[
        "Dr. A. B. Smith paid $1,200.50 on 4 May 2026 (see p. 3). \"Why?\" he asked… 3.5 km; 10:30 a.m.",
        "第一条。第二条！ قال. हिन्दी।",
    ]);
    drive(
        "texts",
        &prose,
        &["\u{301}", "\u{200d}", "İ", ". ", "\n\n", "1,", "%", "–", "\u{0}"],
        targets::texts,
    );
}
