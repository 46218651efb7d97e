use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{json, Value};
use standardwebhooks::Webhook;

fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let task: Value = serde_json::from_str(&text).unwrap();
    let webhook = Webhook::new(task["secret"].as_str().unwrap()).unwrap();
    let count = |requests: &Value, expected: bool| {
        let accepts = |each: &&Value| {
            let headers: HeaderMap = each["headers"].as_object().unwrap().iter().map(|(name, value)| {
                (name.parse::<HeaderName>().unwrap(), HeaderValue::from_bytes(value.as_str().unwrap().as_bytes()).unwrap())
            }).collect();
            webhook.verify(each["body"].as_str().unwrap().as_bytes(), &headers).is_ok() == expected
        };
        requests.as_array().unwrap().iter().filter(accepts).count()
    };
    println!("{}", json!({ "verified": count(&task["requests"], true), "refused": count(&task["changed"], false) }));
}
