// Runs our packages against the vectors, in a runtime other than Node.
import { readFileSync } from 'node:fs';
import { createKeyCache, verifyWebhook } from '@concord/webhook-receiver';

const { cases, jwks } = JSON.parse(readFileSync('task.json', 'utf8'));

async function run({ name, jwks: environment, now, partner_id: partnerId, request }) {
  const fetch = async () => new Response(JSON.stringify(jwks[environment]));
  const keys = createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json', fetch });
  try {
    await verifyWebhook(request, { keys, partnerId, now: () => now * 1_000 });
    return { name, accepted: true };
  } catch ({ code, step }) {
    return { name, accepted: false, reason: `${code} at ${step}` };
  }
}

const results = [];
for (const vector of cases) results.push(await run(vector));
process.stdout.write(JSON.stringify({ results }));
