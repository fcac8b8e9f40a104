//! Replies that no provider would send, whole and in pieces: nothing panics, and what is read is bounded.

use bytes::Bytes;
use serde_json::Value;

use crate::reply::Partial;
use crate::stream::Events;
use crate::wire::Protocol;

const PROTOCOLS: [Protocol; 6] = [
    Protocol::Messages,
    Protocol::Responses,
    Protocol::Chat,
    Protocol::Gemini,
    Protocol::Ollama,
    Protocol::Converse,
];

/// Reads a stream in two pieces, and what it holds in every protocol.
///
/// # Panics
/// When more is read than came.
pub fn streams(bytes: &[u8]) {
    for is_sse in [true, false] {
        // Halves, so that events are cut anywhere.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let mut events = Events::new(is_sse);
        let mut found = Vec::new();
        for piece in [first, second] {
            let Ok(complete) = events.feed(&Bytes::copy_from_slice(piece)) else { return };
            found.extend(complete);
        }
        found.extend(events.finish());
        assert!(found.iter().map(String::len).sum::<usize>() <= 3 * bytes.len());
        let read: Vec<Value> =
            found.iter().filter_map(|event| serde_json::from_str(event).ok()).collect();
        for protocol in PROTOCOLS {
            for whole in [true, false] {
                let mut partial = Partial::default();
                for event in &read {
                    let _ = protocol.take(event, whole, &mut partial);
                }
            }
        }
    }
}

#[cfg(test)]
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

#[cfg(test)]
#[test]
fn streams_of_models() {
    let seeds = texts(&[
        ": hi\nevent: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}\n\n\
         data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n\
         data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\r\n\r\n\
         data: {\"choices\":[{\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
        "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n\
         data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"usage\":{\"input_tokens\":4}}}\n\n",
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"},{\"functionCall\":{\"name\":\"f\",\"args\":{}}}]},\"finishReason\":\"STOP\"}]}\n\n",
        "{\"output\":{\"message\":{\"content\":[{\"text\":\"a\"},{\"toolUse\":{\"toolUseId\":\"t\",\"name\":\"f\",\"input\":{}}}]}},\
         \"stopReason\":\"tool_use\",\"usage\":{\"inputTokens\":4,\"outputTokens\":2,\"cacheReadInputTokens\":1}}\n",
        "{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"done\":true,\"eval_count\":3}\n",
    ]);
    let words = [
        "data:",
        "data: {}\n\n",
        "\n\n",
        "\r",
        "[DONE]",
        "null",
        "\"index\":-1",
        "\"error\":{\"code\":429}",
        "[]",
    ];
    probity_testkit::mutate::drive("streams", &seeds, &words, streams);
}
