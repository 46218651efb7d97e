mod verify;

use axum::{extract::Request, http::StatusCode, routing::post, Router};
use http_body_util::BodyExt;
use std::{env::var, time::SystemTime};

/// The extractor `Request` has the bytes. `Json` and `Form` would eat them.
async fn hooks(request: Request) -> StatusCode {
    let (parts, body) = request.into_parts();
    // axum's own limit of 2 MiB holds for extractors only.
    let Ok(bytes) = axum::body::to_bytes(body, 300_000).await else {
        return StatusCode::PAYLOAD_TOO_LARGE;
    };
    let body = http_body_util::Full::new(bytes).map_err(|never| match never {}).boxed();
    let request = http::Request::from_parts(parts, body);
    let (url, partner) = (var("WEBHOOK_URL").unwrap(), var("PARTNER").unwrap());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    // Keep it for an hour.
    let keys = tokio::task::spawn_blocking(|| ureq::get(&var("JWKS").unwrap()).call()?.body_mut().read_json()).await;
    let Ok(Ok(jwks)): Result<Result<serde_json::Value, ureq::Error>, _> = keys else {
        return StatusCode::SERVICE_UNAVAILABLE;
    };
    match verify::verify(request, &url, &partner, &jwks, now).await {
        Ok(_) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::UNAUTHORIZED,
    }
}

#[tokio::main]
async fn main() {
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", var("PORT").unwrap())).await.unwrap();
    axum::serve(listener, Router::new().route("/hooks", post(hooks))).await.unwrap();
}
