// Imports openapi.json as Postman does, fills in what a person would, and sends requests with Postman's runner.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import newman from 'newman';
import converter from 'openapi-to-postmanv2';
import { play } from './play.mjs';

const data = readFileSync('openapi.json', 'utf8');
const collection = await new Promise((resolve, reject) => {
  converter.convertV2({ type: 'string', data }, {}, (error, { result, reason, output } = {}) =>
    result ? resolve(output[0].data) : reject(error ?? new Error(reason)),
  );
});
const items = new Map();
const collect = (list) => {
  for (const item of list) item.item ? collect(item.item) : items.set(item.name, item);
};
collect(collection.item);

const baseUrl = collection.variable.find(({ key }) => key === 'baseUrl');
if (baseUrl?.value !== JSON.parse(data).servers[0].url) throw new Error('The base URL is not filled in');
// The service that is tested has another port than its base URL.
baseUrl.value = process.env.CONCORD_URL;

async function call(name, { path = {}, query = {}, headers = {}, body }) {
  const item = structuredClone(items.get(name));
  const { request } = item;
  for (const variable of request.url.variable ?? []) variable.value = path[variable.key];
  request.url.query = Object.entries(query).map(([key, value]) => ({ key, value }));
  request.header = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([key, value]) => ({
    key,
    value,
  }));
  if (body) request.body.raw = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const run = newman.run({
      collection: { ...collection, item: [item] },
      envVar: [{ key: 'bearerToken', value: process.env.CONCORD_TOKEN }],
    });
    run.on('request', (error, { response } = {}) =>
      error
        ? reject(error)
        : resolve({
            status: response.code,
            link: response.headers.get('link'),
            body: JSON.parse(response.text()),
          }),
    );
    run.on('exception', (_, { error }) => reject(error));
  });
}

await play(call);
