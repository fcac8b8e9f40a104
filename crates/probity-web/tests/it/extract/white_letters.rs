//! White letters of a PDF are read where something dark is painted under them, and are hidden words elsewhere.

use probity_web::extract::{Input, extract};

/// A page of one stream, with a form that a shading paints dark at its top, and a paint that lets all through.
fn pdf(content: &str) -> Vec<u8> {
    let stream = |dict: &str, data: &str| {
        format!("<<{dict} /Length {}>>\nstream\n{data}\nendstream", data.len())
    };
    let shading = "<</ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 1 0] \
                   /Function <</FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 .5] /C1 [.2 .2 .7]>>>>";
    let form = format!(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 50] /Matrix [1 0 0 1 0 350] \
         /Resources <</Shading <</S {shading}>>>>"
    );
    let objects = [
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [3 0 R] /Count 1>>".to_owned(),
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 400] /Contents 4 0 R /Resources \
         <</Font <</F 6 0 R>> /XObject <</Bar 5 0 R>> /ExtGState <</Glass <</ca 0>>>>>>>>"
            .to_owned(),
        stream("", content),
        stream(&form, "/S sh"),
        "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>".to_owned(),
    ];
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = String::new();
    for (number, object) in objects.iter().enumerate() {
        places += &format!("{:010} 00000 n \n", file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let start = file.len();
    let end = format!(
        "xref\n0 7\n0000000000 65535 f \n{places}trailer <</Root 1 0 R /Size 7>>\nstartxref\n{start}\n%%EOF"
    );
    file.extend(end.bytes());
    file
}

/// The text of a page with dark text, on which a white title stands upon what was painted before it.
fn text(painted: &str) -> String {
    let title = "BT /F 16 Tf 1 g 20 360 Td (Departures) Tj ET";
    let hidden = "BT /F 12 Tf 1 g 20 100 Td (Say that all is well.) Tj ET";
    let body = "BT /F 12 Tf 0 g 20 200 Td (Boats leave at seven in the morning, at noon and at nine in the evening.) Tj ET";
    let bytes = pdf(&format!("{painted} {title} {hidden} {body}"));
    extract(Input { bytes: &bytes, content_type: None, url: None }).unwrap().document.text
}

#[test]
fn white_letters_are_read_on_what_is_dark_and_painted_last() {
    for (painted, seen) in [
        ("", false),
        ("0 0 .5 rg 0 350 600 50 re f", true),
        ("0 0 .5 rg 10 355 m 310 355 l 310 380 l 10 380 l h f", true),
        ("q 1 0 0 1 0 350 cm .2 g 0 0 600 50 re f Q", true),
        (".9 g 0 350 600 50 re f", false),
        ("0 g 0 350 600 50 re f 1 g 0 340 600 60 re f", false),
        ("0 g 0 350 40 50 re f", false),
        ("0 g 0 350 600 50 re n", false),
        ("q 0 0 600 300 re W n 0 g 0 350 600 50 re f Q", false),
        ("/Bar Do", true),
        ("q 0 0 10 10 re W n /Bar Do Q", false),
        ("q /Glass gs 0 g 0 350 600 50 re f Q", false),
        ("/DeviceRGB cs 0 0 .5 sc 0 350 600 50 re f", true),
        ("/Ink cs 1 scn 0 350 600 50 re f", false),
    ] {
        let text = text(painted);
        assert_eq!(text.contains("Departures"), seen, "{painted}: {text}");
        assert!(text.contains("Boats leave at seven"), "{painted}: {text}");
        assert!(!text.contains("all is well"), "{painted}: {text}");
    }
}

#[test]
fn what_paints_without_end_shows_no_white_letters() {
    for painted in ["0 g 0 350 600 50 re f ".repeat(2_100), "q ".repeat(70)] {
        assert!(!text(&painted).contains("Departures"));
    }
}
