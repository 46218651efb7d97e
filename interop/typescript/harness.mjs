// Runs a receiver of docs/receivers in TypeScript, with the library of somebody else, against the
// vectors.
import { readFileSync } from 'node:fs';
import { importJWK } from 'jose';
import { verify } from './receiver.js';

const { cases, jwks } = JSON.parse(readFileSync('task.json', 'utf8'));

async function run({ name, jwks: environment, now, partner_id: partner, request }) {
  const { method, url, body } = request;
  const headers = {};
  for (const [header, value] of request.headers) {
    headers[header.toLowerCase()] ??= [];
    headers[header.toLowerCase()].push(value);
  }
  Date.now = () => now * 1_000;
  try {
    await verify({ method, url, headers, body: new TextEncoder().encode(body) }, jwks[environment], partner);
    return { name, accepted: true };
  } catch (error) {
    return { name, accepted: false, reason: String(error) };
  }
}

// The document says that jose needs the algorithm, which the keys do not have.
for (const jwk of jwks.captured.keys) {
  const { name, namedCurve } = (await importJWK(jwk, 'ES384')).algorithm;
  if (`${name} ${namedCurve}` !== 'ECDSA P-384')
    throw new Error(`jose reads the key as ${name} ${namedCurve}`);
  if (await importJWK(jwk).catch(() => null))
    throw new Error('jose no longer needs the algorithm: change the document');
}

const results = [];
for (const vector of cases) results.push(await run(vector));
process.stdout.write(JSON.stringify({ results }));
