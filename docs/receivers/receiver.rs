// The library accepts the parameters of signatures in one order only, which Concord writes: created, alg, keyid.
use base64::{engine::general_purpose::URL_SAFE_NO_PAD, Engine};
use http::{header::HeaderMap, Request};
use http_body_util::{combinators::BoxBody, BodyExt};
use httpsig_hyper::{prelude::*, HyperDigestError, MessageSignature, MessageSignatureReq, RequestContentDigest};
use serde_json::Value;
use std::error::Error;

const COVERED: [&str; 5] = ["\"@method\"", "\"@target-uri\"", "\"content-type\"", "\"content-digest\"", "\"webhook-id\""];
pub type Body = BoxBody<bytes::Bytes, HyperDigestError>;
/// `Send`, so that a task of a server can call `verify`.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Returns the event id. registered: the endpoint's `url`, as Concord shows it; partner: the id of your partner,
/// whose events are the only ones to accept. now: Unix seconds.
pub async fn verify(mut request: Request<Body>, registered: &str, partner: &str, jwks: &Value, now: u64) -> Result<String, Failure> {
    *request.uri_mut() = registered.parse()?;
    let all = request.get_signature_params()?;
    let (label, parameters) = all.first().ok_or("the signature is missing")?;
    // The parser drops duplicates and what it does not know, so the text must equal what it writes.
    let is_exact = only(request.headers(), "signature-input")? == format!("{label}={parameters}");
    let has_one = only(request.headers(), "signature")?.matches(':').count() == 2;
    let has_one_digest = only(request.headers(), "content-digest")?.matches(':').count() == 2;
    require(is_exact && has_one && has_one_digest, "a header has duplicates, unusual whitespace or unusual parameters")?;
    let covered: Vec<String> = parameters.covered_components.iter().map(|id| id.to_string()).collect();
    require(COVERED.iter().all(|name| covered.iter().any(|id| id == name)), "the signature must cover more")?;
    require(parameters.alg.as_deref() == Some("ecdsa-p384-sha384"), "alg must be ecdsa-p384-sha384")?;
    let created = parameters.created.ok_or("created is missing")?;
    require(created.abs_diff(now) <= 300, "created must be within 300 s of the clock")?;
    require(parameters.expires.is_none_or(|expires| expires >= now), "the signature has expired")?;
    let kid = parameters.keyid.as_deref().ok_or("keyid is missing")?;
    request.verify_message_signature(&find(jwks, kid)?, Some(kid)).await?;
    let body = request.verify_content_digest().await?.into_body().collect().await?.to_bytes();
    let event: Value = serde_json::from_slice(&body)?;
    require(event["partner_id"] == partner, "the event belongs to another partner")?;
    Ok(event["id"].as_str().ok_or("the body is not an event")?.to_string())
}

pub fn find(jwks: &Value, kid: &str) -> Result<PublicKey, Failure> {
    let keys = jwks["keys"].as_array().ok_or("the JWKS has no keys")?;
    let key = keys.iter().find(|key| key["kid"] == kid && key["crv"] == "P-384").ok_or("unknown key")?;
    let mut point = vec![4];
    for name in ["x", "y"] {
        point.extend(URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap_or_default())?);
    }
    Ok(PublicKey::from_bytes(&AlgorithmName::EcdsaP384Sha384, &point)?)
}

/// Returns the only line of a header.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, Failure> {
    let mut lines = headers.get_all(name).iter();
    let line = lines.next().ok_or("a header is missing")?.to_str()?.trim();
    require(lines.next().is_none(), "a header appears twice")?;
    Ok(line)
}

fn require(condition: bool, message: &str) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(message.into()) }
}
