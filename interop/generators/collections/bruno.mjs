// Imports openapi.json as Bruno does, fills in what a person would, and sends the requests of its collection.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { openApiToBruno } from '@usebruno/converters';
import { play } from './play.mjs';

const description = JSON.parse(readFileSync('openapi.json', 'utf8'));
const collection = await openApiToBruno(description);
const items = new Map();
const collect = (list) => {
  for (const item of list) item.items ? collect(item.items) : items.set(item.name, item);
};
collect(collection.items);

const [environment] = collection.environments;
const values = new Map(environment.variables.map(({ name, value }) => [name, value]));
if (values.get('baseUrl') !== description.servers[0].url) throw new Error('The base URL is not filled in');
// The service that is tested has another port than its base URL.
values.set('baseUrl', process.env.CONCORD_URL);
values.set('token', process.env.CONCORD_TOKEN);
const fill = (text) => text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name) => values.get(name) ?? '');

async function call(name, { path = {}, query = {}, headers = {}, body }) {
  const { request } = items.get(name);
  const url = new URL(fill(request.url).replaceAll(/\/:([a-z_]+)/g, (_, key) => `/${path[key]}`));
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const response = await fetch(url, {
    method: request.method,
    headers: {
      ...headers,
      ...(body && { 'content-type': 'application/json' }),
      authorization: `Bearer ${fill(request.auth.bearer.token)}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, link: response.headers.get('link'), body: await response.json() };
}

await play(call);
