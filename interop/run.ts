// `npm run interop`: tests our packages against other implementations. Runs the receivers of
// docs/receivers against the vectors and captured deliveries, exchanges signatures with those
// libraries, and runs our packages in Node, Deno and Bun, the client also in a worker. Runs clients that
// generators of other people make.
import { createPrivateKey } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSigner,
  createVerifier,
  importKey,
  parseSignatureInput,
  readParameters,
  readSignatures,
  signMessage,
  verifyMessage,
} from '@concord/http-message-signatures';
import { verifyWebhook } from '@concord/webhook-receiver';
import { complain, runCommand } from '../tools/command.ts';
import type { Case } from '../vectors/request.ts';
import keys from '../vectors/TEST-KEYS.json' with { type: 'json' };
import { captureDeliveries } from './capture.ts';
import { runClientExamples } from './client.ts';
import { hasTools, runAll } from './concord.ts';
import { runFrameworks } from './frameworks.ts';
import { runGenerators } from './generators.ts';
import { runKeycloak } from './keycloak.ts';
import { type Language, languages } from './languages.ts';
import { installRuntimes } from './runtimes.ts';
import { runScim } from './scim.ts';
import { runStandardWebhooks } from './standard-webhooks.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/interop');
const algorithm = 'ecdsa-p384-sha384';

type Request = {
  method: string;
  url: string;
  headers: [string, string][];
  body: string;
  components?: string[];
};
type Vectors = { jwks: { live: { keys: { kid: string }[] }; captured?: unknown }; cases: Required<Case>[] };
type Output = { results: { name: string; accepted: boolean; reason?: string }[]; signed?: Request[] };

const vectors: Vectors = JSON.parse(readFileSync(join(root, 'vectors/webhooks.json'), 'utf8'));
let captured = 0;
const now = Math.floor(Date.now() / 1_000);
const kid = vectors.jwks.live.keys.at(-1)?.kid ?? '';
const verifier = createVerifier(
  algorithm,
  await importKey(algorithm, { ...keys.active, d: undefined }, 'verify'),
);
const fieldTypes = { 'example-dict': 'dictionary' } as const;

/** A request beyond the webhook profile, with most kinds of components. */
const general: Request = {
  method: 'POST',
  url: 'https://example.com/a/b;c?a=1&b=two+words%21&c',
  headers: [
    ['X-Two', 'one, 1'],
    ['X-Two', 'two'],
    ['Example-Dict', 'b=2, a=(1   2.50);x="y"'],
  ],
  body: '',
  components: [
    ...['@method', '@authority', '@scheme', '@path', '@query', '@target-uri', '@request-target'].map(
      (name) => `"${name}"`,
    ),
    ...['"@query-param";name="b"', '"x-two"', '"x-two";bs', '"example-dict";key="a"'],
  ],
};
const webhook: Request = {
  ...(vectors.cases[0]?.request as Request),
  headers: (vectors.cases[0]?.request.headers ?? []).filter(([name]) => !name.startsWith('Signature')),
  components: ['"@method"', '"@target-uri"', '"content-type"', '"content-digest"', '"webhook-id"'],
};

async function signGeneral(request: Request, nonce: string): Promise<Request> {
  const { components = [] } =
    parseSignatureInput(`sig1=(${request.components?.join(' ')})`).get('sig1') ?? {};
  const { signatureInput, signature } = await signMessage(request, {
    components,
    parameters: { created: now, nonce, alg: algorithm, keyid: kid },
    signer: createSigner(algorithm, await importKey(algorithm, keys.active, 'sign')),
    fieldTypes,
  });
  return {
    ...request,
    headers: [...request.headers, ['Signature-Input', signatureInput], ['Signature', signature]],
  };
}

async function verifySigned(signed: Request[]): Promise<void> {
  const [first, second] = signed;
  if (!first || !second) throw new Error('The harness must sign both requests');
  await verifyMessage(first, { requiredComponents: [], findVerifier: () => verifier, fieldTypes });
  const { created = 0 } = readParameters(readSignatures(second)[0]?.parameters ?? new Map());
  await verifyWebhook(
    { ...second, body: new TextEncoder().encode(second.body) },
    { keys: { findKey: async () => verifier }, anyPartner: true, now: () => created * 1_000 },
  );
}

/** Lists unexpected results, and deviations that no longer occur. */
function compare({ name: language, deviations }: Language, results: Output['results']): string[] {
  const problems: string[] = [];
  for (const { name, accept, batch } of vectors.cases) {
    // The receivers of docs/receivers are for endpoints without batches.
    if (accept && batch) continue;
    const result = results.find((one) => one.name === name);
    const differs = result?.accepted !== accept;
    if (differs && !(name in deviations))
      problems.push(`${name}: ${accept ? `refused (${result?.reason})` : 'accepted'}`);
    if (!differs && name in deviations)
      problems.push(`${name}: no longer deviates: remove it from interop/languages.ts`);
  }
  return problems.map((problem) => `${language}: ${problem}`);
}

async function run(language: Language): Promise<string[]> {
  const {
    name,
    tools,
    folder,
    files = folder,
    receiver,
    source = receiver,
    prepare,
    command,
    signs,
  } = language;
  if (!(await hasTools(name, tools))) return [];
  const cwd = join(cache, folder);
  mkdirSync(cwd, { recursive: true });
  cpSync(join(import.meta.dirname, receiver ? files : 'javascript'), cwd, { recursive: true });
  if (receiver && source) cpSync(join(root, 'docs/receivers', receiver), join(cwd, source));
  const privatePem = createPrivateKey({ key: keys.active, format: 'jwk' }).export({
    type: 'pkcs8',
    format: 'pem',
  });
  const supported =
    general.components?.filter((component) => !language.unsupported?.includes(component)) ?? [];
  const request = { ...general, components: supported };
  const signedByUs = await signGeneral(request, language.nonce ?? 'a"b\\c');
  const task = { ...vectors, unsigned: [request, webhook], general: signedByUs, kid, privatePem, now };
  writeFileSync(join(cwd, 'task.json'), JSON.stringify(task));
  try {
    const printed = await runAll([...prepare, [...command, 'task.json']], { cwd });
    const { results, signed = [] }: Output = JSON.parse(printed);
    if (signs) await verifySigned(signed);
    const problems = compare(language, results);
    const known = Object.keys(language.deviations).length;
    const exchanged = signs ? '; signatures verified both ways' : '';
    if (problems.length === 0)
      process.stdout.write(
        `ok ${name}: ${results.length} requests, ${captured} of them captured (${known} known deviations)${exchanged}\n`,
      );
    return problems;
  } catch (error) {
    return [`${name}: ${(error as Error).message}\n${(error as { stderr?: string }).stderr ?? ''}`];
  }
}

const others: Readonly<Record<string, (part: string) => Promise<string[]>>> = {
  Client: runClientExamples,
  Generators: runGenerators,
  Frameworks: runFrameworks,
  Keycloak: runKeycloak,
  Scim: runScim,
  StandardWebhooks: runStandardWebhooks,
};
const known = [...languages.map(({ name }) => name), ...Object.keys(others)];
const usage = `Usage: npm run interop [-- LANGUAGE...]
Runs receivers against the vectors and the deliveries of a service that it starts. Skips languages whose tools are missing, and
installs everything else into node_modules/.cache. LANGUAGE is one of ${known.join(', ')}.
  Client            runs the examples of the client in each runtime
  Generators        generates clients from openapi.json, and runs them; Generators NAME only those of that name
  Frameworks        checks a receiver in each framework as before going live; Frameworks NAME only those of that name
  Keycloak          signs people of a partner in
  Scim              lets scim2-tester provision them
  StandardWebhooks  lets foreign libraries verify signing secrets`;

await runCommand(usage, {}, async (_, given) => {
  const [first = '', second = ''] = given;
  const part = /^(Generators|Frameworks)$/.test(first) && !known.includes(second) ? second : '';
  const names = part === '' ? given : [first, ...given.slice(2)];
  for (const name of names)
    if (!known.includes(name))
      throw new Error(`LANGUAGE must be one of ${known.join(', ')}, and not ${name}`);
  const isChosen = (name: string) => names.length === 0 || names.includes(name);
  const chosen = languages.filter(({ name }) => isChosen(name));
  if (chosen.length > 0) {
    const { cases, jwks } = await captureDeliveries();
    vectors.cases.push(...cases);
    vectors.jwks.captured = jwks;
    captured = cases.length;
  }
  if (chosen.length > 0 || isChosen('Client')) await installRuntimes();
  const problems = (await Promise.all(chosen.map(run))).flat();
  for (const [name, check] of Object.entries(others))
    if (isChosen(name)) problems.push(...(await check(part)));
  complain(problems);
});
