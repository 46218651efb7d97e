// Runs the Rust receiver of docs/receivers against the vectors, and exchanges signatures with our packages.
mod receiver;

use futures::executor::block_on;
use http::Request;
use http_body_util::{BodyExt, Full};
use httpsig_hyper::prelude::{message_component::HttpMessageComponentId, *};
use httpsig_hyper::MessageSignatureReq;
use receiver::{find, verify, Body, Failure};
use serde_json::{json, Value};
use std::future::Future;

type Outcome<T> = Result<T, Failure>;

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn to_http(request: &Value) -> Outcome<Request<Body>> {
    let mut builder = Request::builder().method(text(request, "method")).uri(text(request, "url"));
    for pair in request["headers"].as_array().ok_or("no headers")? {
        // In a vector, one character is one byte. Servers trim values.
        let line = pair[1].as_str().ok_or("no value")?;
        let bytes: Vec<u8> = line.chars().map(|character| character as u8).collect();
        builder = builder.header(pair[0].as_str().ok_or("no name")?, bytes.trim_ascii());
    }
    let body = Full::from(text(request, "body").to_string());
    Ok(builder.body(body.map_err(|never| match never {}).boxed())?)
}

/// Compiles only if a multithreaded server can spawn the call as a task.
fn as_task<T: Send + 'static>(call: impl Future<Output = T> + Send) -> impl Future<Output = T> {
    call
}

fn run(case: &Value, task: &Value) -> Outcome<String> {
    let request = to_http(&case["request"])?;
    let jwks = &task["jwks"][text(case, "jwks")];
    let now = case["now"].as_u64().ok_or("no now")?;
    block_on(as_task(verify(request, text(&case["request"], "url"), text(case, "partner_id"), jwks, now)))
}

fn verify_general(task: &Value) -> Outcome<()> {
    let key = find(&task["jwks"]["live"], text(task, "kid"))?;
    block_on(to_http(&task["general"])?.verify_message_signature(&key, Some(text(task, "kid"))))?;
    Ok(())
}

fn sign(unsigned: &Value, task: &Value) -> Outcome<Value> {
    let components = unsigned["components"].as_array().ok_or("no components")?;
    let ids = components
        .iter()
        .map(|component| HttpMessageComponentId::try_from(component.as_str().unwrap_or_default()))
        .collect::<Result<Vec<_>, _>>()?;
    let key = SecretKey::from_pem(&AlgorithmName::EcdsaP384Sha384, text(task, "privatePem"))?;
    let mut parameters = HttpSignatureParams::try_new(&ids)?;
    parameters.set_key_info(&key).set_keyid(text(task, "kid"));
    let mut request = to_http(unsigned)?;
    block_on(request.set_message_signature(&parameters, &key, Some("rust")))?;
    let mut signed = unsigned.clone();
    let headers = signed["headers"].as_array_mut().ok_or("no headers")?;
    for name in ["signature-input", "signature"] {
        headers.push(json!([name, request.headers()[name].to_str()?]));
    }
    Ok(signed)
}

fn main() -> Outcome<()> {
    let file = std::env::args().nth(1).ok_or("the task is missing")?;
    let task: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    verify_general(&task)?;
    let mut results = Vec::new();
    for case in task["cases"].as_array().ok_or("no cases")? {
        let name = text(case, "name");
        results.push(match run(case, &task) {
            Ok(_) => json!({ "name": name, "accepted": true }),
            Err(error) => json!({ "name": name, "accepted": false, "reason": error.to_string() }),
        });
    }
    let unsigned = task["unsigned"].as_array().ok_or("nothing to sign")?;
    let signed = unsigned.iter().map(|request| sign(request, &task)).collect::<Outcome<Vec<_>>>()?;
    println!("{}", json!({ "results": results, "signed": signed }));
    Ok(())
}
