//! `trust.txt` and `ads.txt` are asked for like pages, on the page's own site, and count only as what they are.

use probity_core::SiteFiles;
use probity_testkit::bad_web::cases::{GOOD, PRIVATE};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::limits::SITE_FILE_BYTES;
use probity_web::fetch::{FetchSettings, Fetcher};

use super::{fetcher, permit, settings, web};

const TRUST: &str = "belongto=https://press.example/\ncontrolledby=https://holding.example/\n";
const ADS: &str = "ads.example, 7, DIRECT\nmore.example, 8, RESELLER\n";

async fn files_of(fetcher: &Fetcher, web: &BadWeb) -> SiteFiles {
    fetcher.site_files(&permit(&web.url("/news/2026/ferry?page=2"))).await
}

#[tokio::test]
async fn a_site_is_asked_once_for_each_of_its_files_and_for_the_second_place_only_if_need_be() {
    let web = web(|asked| match asked.page() {
        "/trust.txt" => Reply::text(TRUST),
        "/ads.txt" => Reply::redirect(301, "/files/ads.txt"),
        "/files/ads.txt" => Reply::text(ADS),
        _ => Reply::html(GOOD),
    })
    .await;
    let expected = SiteFiles { association: true, owner: true, direct: 1, resellers: 1 };
    assert_eq!(files_of(&fetcher(&[&web]), &web).await, expected);
    let asked: Vec<String> = web.requests().iter().map(|one| one.page().to_owned()).collect();
    assert_eq!(asked, ["/trust.txt", "/ads.txt", "/files/ads.txt"]);
}

#[tokio::test]
async fn the_well_known_place_counts_where_the_first_has_nothing() {
    let web = web(|asked| match asked.page() {
        "/.well-known/trust.txt" => Reply::text(TRUST),
        "/trust.txt" => {
            Reply::html("<!doctype html><title>Not here</title>belongto=https://a.example/")
        }
        _ => Reply::status(404),
    })
    .await;
    let files = files_of(&fetcher(&[&web]), &web).await;
    assert!(files.association && files.owner, "{files:?}");
}

#[tokio::test]
async fn a_page_or_an_error_in_place_of_a_file_tells_nothing() {
    for reply in [
        || Reply::html("\n <html>OWNERDOMAIN=holding.example\n</html>"),
        || Reply::status(404),
        || Reply::with(403, &[], TRUST),
        || Reply::text(vec![0xff, 0xfe, 0x00]),
        || Reply::text(""),
    ] {
        let web = web(move |_| reply()).await;
        assert!(files_of(&fetcher(&[&web]), &web).await.is_empty());
    }
}

#[tokio::test]
async fn robots_txt_closes_the_files_too() {
    let web = web(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /ads.txt\nDisallow: /trust.txt\n"),
        "/trust.txt" | "/ads.txt" => Reply::text(TRUST),
        _ => Reply::status(404),
    })
    .await;
    let fetcher = Fetcher::new(FetchSettings { robots: true, ..settings(&[&web]) }).unwrap();
    assert!(files_of(&fetcher, &web).await.is_empty());
    assert_eq!((web.count("/trust.txt"), web.count("/ads.txt")), (0, 0));
}

#[tokio::test]
async fn no_file_is_followed_to_another_site_or_a_private_address() {
    let other = web(|_| Reply::text(TRUST)).await;
    for target in PRIVATE.iter().copied().chain([other.url("/trust.txt").as_str()]) {
        let target = target.to_owned();
        let web = web(move |_| Reply::redirect(302, &target)).await;
        assert!(files_of(&fetcher(&[&web]), &web).await.is_empty());
        assert_eq!(web.requests().len(), 3, "a redirect led back to this server");
    }
    assert!(other.requests().is_empty(), "its port is not open");
    let elsewhere = "http://press.example.net/trust.txt";
    let web = web(move |_| Reply::redirect(302, elsewhere)).await;
    assert!(files_of(&fetcher(&[&web]), &web).await.is_empty());
}

#[tokio::test]
async fn a_file_without_end_is_cut_and_the_switch_asks_nobody() {
    let line = "ads.example, 7, DIRECT\n";
    let many = usize::try_from(SITE_FILE_BYTES).unwrap() / line.len() + 1_000;
    let web = web(move |asked| match asked.page() {
        "/ads.txt" => Reply::text(line.repeat(many)),
        _ => Reply::status(404),
    })
    .await;
    let direct = files_of(&fetcher(&[&web]), &web).await.direct as usize;
    assert!(direct > 1_000 && direct < many, "{direct} of {many}");
    let asked = web.requests().len();
    let off = Fetcher::new(FetchSettings { site_files: false, ..settings(&[&web]) }).unwrap();
    assert!(files_of(&off, &web).await.is_empty());
    assert_eq!(web.requests().len(), asked);
}
