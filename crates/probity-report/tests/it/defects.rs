//! Claims that were once judged wrongly, each in other words than those in which it was found.

use probity_report::check::{Support, check_claim};

fn supported(claim: &str, source: &str) {
    let check = check_claim(claim, source);
    assert_eq!(check.support, Support::Supported, "{claim} | {:?}", check.reasons);
}

fn not_supported(claim: &str, source: &str) {
    let check = check_claim(claim, source);
    assert!(check.support < Support::Supported, "{claim} ({:.2})", check.value);
}

#[test]
fn what_was_budgeted_is_no_evidence_of_what_it_cost() {
    let source = "The county board approved a budget of £48 million for the ring road in 2019. Work began the year after.";
    not_supported("In the end the ring road cost £48 million.", source);
    not_supported("It cost £48 million in the end.", source);
    supported("The board approved a budget of £48 million for the ring road.", source);
}

#[test]
fn the_number_in_a_name_is_no_rival_of_a_count() {
    let source = "Bus route 7 is the oldest in the valley. The route is 11.2 kilometres long and has 23 stops.";
    supported("Bus route 7 has 23 stops.", source);
    not_supported("Bus route 7 has 32 stops.", source);
}

#[test]
fn a_deed_of_which_there_is_no_word_is_not_borne_out_by_those_who_are_named() {
    let source = "The mayor, Elena Voss, cut the ribbon at the depot. The cost of tram line 4 has risen to €287 million.";
    not_supported("The mayor resigned over the cost of line 4.", source);
    let source = "The Audit Office examined the costs of tram line 4. By 30 June the city had spent €301 million.";
    not_supported("The mayor resigned over the cost of line 4.", source);
    let source = "The treasurer called the vote regrettable after Harlow withdrew from the talks.";
    not_supported("The treasurer resigned after Harlow withdrew from the talks.", source);
}

#[test]
fn what_was_ruled_out_or_only_tried_was_not_done() {
    not_supported(
        "The minister dissolved parliament.",
        "The minister ruled out dissolving parliament before the spring.",
    );
    not_supported("The club has sold its stadium.", "The club refused to sell its stadium.");
    not_supported(
        "The authorities have approved the merger.",
        "Veld agreed to buy Parr for $90 million. The merger, which is subject to approval by the authorities, should close in May.",
    );
}

#[test]
fn what_stayed_the_same_did_not_rise() {
    not_supported(
        "Attendance rose during the trial.",
        "Attendance did not change during the trial, but marks improved.",
    );
    not_supported(
        "Shares in Orly Mining rose after the mine was closed.",
        "Shares in Orly Mining fell 6 percent after the mine was closed, citing rising costs.",
    );
}

#[test]
fn a_rank_holds_within_what_it_was_given_for() {
    let source = "The harbour is Norway's largest and the fourth-largest in Europe.";
    not_supported("The harbour is the largest in Europe.", source);
    supported("The harbour is the largest in Norway.", source);
    not_supported(
        "Grey Fields is the band's debut album.",
        "Their third album, Grey Fields, came out in 2004.",
    );
}

#[test]
fn multiples_and_bare_numbers_are_compared_the_right_way_round() {
    let source = "The new hall seats 900, twice as many as the old theatre.";
    not_supported("The old theatre seats twice as many as the new hall.", source);
    let source = "Aldburg has 5,300 inhabitants and Besten 7,900.";
    not_supported("Aldburg is larger than Besten.", source);
    supported("Besten has more inhabitants than Aldburg.", source);
}

#[test]
fn who_is_whose_can_be_said_from_either_side() {
    let source = "Clara Hess is the mother of the cellist Jonas Hess-Adler.";
    supported("Jonas Hess-Adler is the son of Clara Hess.", source);
    not_supported("Jonas Hess-Adler is the father of Clara Hess.", source);
}

#[test]
fn an_age_and_a_span_follow_from_two_years() {
    supported("She was 73 when she died.", "Ilse Brandt (1881–1954) was a German painter.");
    supported("He was 41 when he died.", "Born in 1790, he died in 1831.");
    not_supported("He was 51 when he died.", "Born in 1790, he died in 1831.");
    supported(
        "It took seven years to build the aqueduct.",
        "The aqueduct was built between 1904 and 1911.",
    );
}

#[test]
fn bounds_are_no_differences() {
    let source =
        "As of 3 June the ministry had confirmed 412 cases, including 12 deaths and 61 recoveries.";
    not_supported("Fewer than 400 cases had been confirmed as of 3 June.", source);
    supported("More than 400 cases had been confirmed as of 3 June.", source);
}

#[test]
fn exceptions_intervals_and_the_rest_are_understood() {
    supported("The fair is held every other year.", "The fair is held every two years.");
    not_supported(
        "The baths stay open until 9 pm every day.",
        "The baths stay open until 9 pm on weekdays.",
    );
    supported(
        "The ministry accepted nine of the proposals.",
        "The inquiry made eleven proposals. The ministry accepted all but two of them.",
    );
    not_supported(
        "Most of the heat comes from an oil boiler.",
        "Solar panels meet 70 percent of the demand for heat; the rest comes from an oil boiler.",
    );
}

#[test]
fn who_was_arrested_is_not_yet_convicted() {
    let source =
        "A 40-year-old woman was arrested in Hull on suspicion of setting fire to two barns.";
    not_supported("A 40-year-old woman was convicted of setting fire to two barns.", source);
}

#[test]
fn a_copied_sentence_with_another_name_at_its_head_is_another_claim() {
    let source = "Marlow, a former judge, campaigned on closing the tax office. Teague, who had held the seat since 2001, conceded at noon.";
    not_supported("Teague, a former judge, campaigned on closing the tax office.", source);
    supported("Marlow, a former judge, campaigned on closing the tax office.", source);
}

#[test]
fn what_is_said_of_a_pronoun_is_said_of_the_subject_before() {
    let source = "The Dahl footbridge links the station with the old town. It is 84 metres long and cost £3 million.";
    supported("The Dahl footbridge cost £3 million.", source);
    not_supported("The Dahl footbridge cost £8 million.", source);
}

#[test]
fn a_page_on_line_5_says_nothing_against_line_4() {
    let source = "The city has commissioned a study for tram line 5. The mayor said that no decision to build has been taken.";
    let check = check_claim("The city decided to build tram line 4.", source);
    assert!(check.support < Support::Supported && !check.opposed, "{:?}", check.reasons);
}
