//! Several threads, and callers that give up.

use probity_reader::{Reader, Stop, Stopped};

#[test]
fn many_threads_read_the_same_in_the_same_order_as_one() {
    let reader = Reader::embedded().unwrap();
    let texts: Vec<String> =
        (0..9).map(|at| format!("The tower is {} metres tall.", at * 10)).collect();
    let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
    let read =
        || reader.entails("The tower is 40 metres tall.", &passages, &Stop::never()).unwrap();
    Reader::set_threads(1);
    let one = read();
    Reader::set_threads(3);
    let three = read();
    assert_eq!(one, three);
    let supported = |at: usize| one[at].supported;
    assert!((0..9).filter(|at| *at != 4).all(|at| supported(at) < supported(4)), "{one:?}");
}

#[test]
fn work_that_nobody_waits_for_is_stopped() {
    let reader = Reader::embedded().unwrap();
    let (stopper, stop) = Stop::new();
    assert!(reader.entails("A claim.", &["A text."], &stop).is_ok());
    stopper.stop();
    assert_eq!(reader.entails("A claim.", &["A text."], &stop), Err(Stopped));
}

#[test]
fn dropping_the_stopper_stops_the_work_of_every_clone() {
    let (stopper, stop) = Stop::new();
    let clone = stop.clone();
    assert!(!clone.is_stopped());
    drop(stopper);
    assert!(stop.is_stopped() && clone.is_stopped() && !Stop::never().is_stopped());
}

#[test]
fn a_stop_in_the_middle_ends_the_work_before_all_is_read() {
    let reader = Reader::embedded().unwrap();
    let long = "the road goes on and on ".repeat(60);
    let passages = vec![long.as_str(); 2_000];
    let (stopper, stop) = Stop::new();
    std::thread::scope(|scope| {
        let work = scope.spawn(|| reader.entails("A claim.", &passages, &stop));
        stopper.stop();
        assert_eq!(work.join().unwrap(), Err(Stopped));
    });
}
