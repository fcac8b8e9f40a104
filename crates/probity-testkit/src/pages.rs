//! Pages as the web has them, made up: a few thousand words, of which some bear on the question.

/// How many sentences a page has.
const SENTENCES: usize = 160;

/// The text of a page on outdoor music in Port Ellery; every number gives another one.
pub fn long(name: &str, number: usize) -> String {
    let mut text = format!("The page of {name} is about the town of Port Ellery.\n");
    for line in 0..SENTENCES {
        let place = number * (SENTENCES + 1) + line;
        text.push_str(&match line % 8 {
            0 => format!("Outdoor music at place {place} in Port Ellery must stop at 10 pm.\n"),
            3 => format!("Fines for music at place {place} come to {} crowns.\n", 20 + place),
            _ => format!("The harbour wall {place} of {name} was built of stone from the hills.\n"),
        });
    }
    text
}
