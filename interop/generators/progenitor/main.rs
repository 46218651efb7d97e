// Creates, publishes, lists by pages and makes an error, with the client that progenitor makes.
use concord_client::{Client, Error, types};
use serde_json::json;
use std::env::var;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = var("CONCORD_NAME")?;
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("authorization", format!("Bearer {}", var("CONCORD_TOKEN")?).parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&var("CONCORD_URL")?, http);

    let mut partner = String::new();
    for i in 0..3 {
        let body: types::CreatePartner = serde_json::from_value(json!({ "name": format!("{name} {i}") }))?;
        let key = format!("{name}{i}").parse()?;
        partner = client.create_partner(Some(&key), &body).await?.into_inner().id.to_string();
    }
    let body = types::PublishEvent {
        type_: "inventory.updated".parse()?,
        data: json!({ "sku": "NX-1", "quantity": 12 }),
        environment: None,
        producer_id: None,
    };
    let event = client.publish_event(&partner, None, &body).await?.into_inner().id.to_string();

    let mut pages = Vec::new();
    let filter = name.parse()?;
    let mut from = None;
    loop {
        let page = client.list_partners(Some(&filter), None, from.as_ref(), std::num::NonZeroU64::new(2), None, None).await?;
        pages.push(page.len());
        let link = page.headers().get("link").map_or("", |value| value.to_str().unwrap_or(""));
        let Some((_, rest)) = link.split_once("page_from=") else { break };
        from = Some(rest.split(['&', '>']).next().unwrap_or("").parse()?);
    }

    let error = match client.get_partner("ptr_unknown", None).await {
        Err(Error::ErrorResponse(answer)) => format!("{} {}", answer.status().as_u16(), answer.into_inner().code),
        other => format!("{other:?}"),
    };
    println!("{}", json!({ "partner": partner, "event": event, "pages": pages, "error": error }));
    Ok(())
}
