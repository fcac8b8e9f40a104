//! Feeds, articles, saved questions and settings in a real browser: by mouse, by keyboard, without script.

use serde_json::json;

use crate::chromium::Page;
use crate::serve_topics::start;

#[test]
fn articles_are_walked_through_read_and_starred_by_keyboard() {
    let Some(mut page) = Page::start(1280) else { return };
    let (_program, server) = start();
    page.visit(&format!("{}/news", server.url));
    assert_eq!(page.eval("document.querySelector('[data-keys-hint]').hidden"), false);
    page.press("j");
    let first = "document.activeElement === document.querySelectorAll('.articles li')[0]";
    assert_eq!(page.eval(first), true);
    page.press("j");
    page.press("j");
    page.press("k");
    let second = "document.activeElement === document.querySelectorAll('.articles li')[1]";
    assert_eq!(page.eval(second), true);
    page.press("m");
    page.wait_until("document.activeElement.classList.contains('seen')");
    page.press("f");
    page.wait_until("document.activeElement.innerText.includes('★ Starred')");
    page.picture("articles");
    page.visit(&format!("{}/news?shelf=unread", server.url));
    assert_eq!(page.eval("document.querySelectorAll('.articles li').length"), 2);
    page.visit(&format!("{}/news?shelf=starred", server.url));
    assert_eq!(page.eval("document.querySelectorAll('.articles li').length"), 1);
    // What is typed into a field is text and no command.
    page.eval("document.querySelector('#q').focus()");
    page.press("j");
    assert_eq!(page.eval("document.activeElement.id"), "q");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn a_feed_is_kept_without_script() {
    let Some(mut page) = Page::start(390) else { return };
    let (_program, server) = start();
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.visit(&format!("{}/feeds", server.url));
    // No feed is there: the address is private, and no one opened it.
    page.eval("document.querySelector('#url').value = 'http://127.0.0.1:9/feed.xml'");
    page.follow("document.querySelector('main form.tools button').click()");
    assert!(page.text(".wrong").contains("not a public address"));
    page.picture("feed-refused");
    page.follow("document.querySelector('#feeds a').click()");
    page.eval(
        "document.querySelector('#edit').open = true; \
         document.querySelector('#label').value = 'Our own'",
    );
    page.follow("document.querySelector('#edit button.main').click()");
    assert!(page.text("h1").starts_with("Our own"));
    page.follow("document.querySelector('.articles button[name=read]').click()");
    assert_eq!(page.eval("document.querySelectorAll('.articles .seen').length"), 1);
    page.picture("feed");
    page.follow("document.querySelector('form[action$=disable] button').click()");
    assert!(page.text("dl").contains("switched off"));
    page.eval("document.querySelector('#remove').open = true");
    page.follow("document.querySelector('#remove button').click()");
    assert!(page.eval("location.pathname") == "/feeds");
    assert_eq!(page.eval("document.querySelectorAll('#feeds').length"), 0);
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn a_list_of_feeds_is_taken_over_from_a_file_and_a_question_is_saved() {
    let Some(mut page) = Page::start(1280) else { return };
    let (_program, server) = start();
    page.visit(&format!("{}/feeds", server.url));
    // A file as someone would choose it.
    page.eval(
        "(() => { const list = new DataTransfer(); \
         list.items.add(new File(['<opml version=\"2.0\"><body><outline text=\"Grid\" type=\"rss\" \
         xmlUrl=\"https://grid.example/feed\"/></body></opml>'], 'feeds.opml')); \
         document.querySelector('#import').open = true; \
         document.querySelector('#file').files = list.files; \
         document.querySelector('#import button.main').click(); })()",
    );
    page.wait_until("document.querySelector('#import .good') !== null");
    assert!(page.text("#import .good").contains("1 added"));
    page.visit(&format!("{}/watches", server.url));
    page.eval("document.querySelector('#question').value = 'How loud may music be at night?'");
    page.follow("document.querySelector('form[action=\"/watches\"] button').click()");
    assert_eq!(page.text("h1"), "How loud may music be at night?");
    assert!(page.text("dl").contains("every day"));
    page.picture("watch");
    page.visit(&format!("{}/settings", server.url));
    page.follow("document.querySelector('form[action=\"/settings/tokens\"] button').click()");
    assert!(page.text("#token").starts_with("probity_"));
    page.picture("settings");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}
