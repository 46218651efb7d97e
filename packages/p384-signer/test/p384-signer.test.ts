// The native module: what does not load is refused, and what loads signs as node:crypto verifies.
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import hashes from '../prebuilt/hashes.json' with { type: 'json' };
import { loadNativeSigner } from '../src/index.ts';

function newFile(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-signer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

it('W34: without a file there is no native signer', async () => {
  expect(await loadNativeSigner(join(tmpdir(), 'concord-no-such-folder', 'p384-signer.node'))).toBeNull();
});

/** What `require` loads in place of the module. Each `sign` of one part is wrong in its own way. */
const moduleWith = (sign: string) =>
  newFile(
    'module.cjs',
    `const { createPrivateKey, sign } = require('node:crypto');
     exports.P384Signer = class {
       constructor(pkcs8) { this.key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }); }
       async signMany(all, ends) {
         const parts = Array.from(ends, (end, index) => all.subarray(ends[index - 1] ?? 0, end));
         return Buffer.concat(await Promise.all(parts.map(async (data) => ${sign})));
       }
     };`,
  );
const right = `sign('sha384', data, { key: this.key, dsaEncoding: 'ieee-p1363' })`;

it.each([
  [
    'bytes that are no library',
    () => newFile('p384-signer.node', 'not a library'),
    /(file too short|invalid ELF|not a mach-o|mach-o)/,
  ],
  [
    'the first half of a library',
    () =>
      newFile(
        'p384-signer.node',
        readFileSync(new URL('../prebuilt/linux-x64.node', import.meta.url)).subarray(0, 1_000_000),
      ),
    /the file is cut off: it has 1000000 of \d+ bytes/,
  ],
  ['a module without the class', () => newFile('module.cjs', 'exports.sign = () => {}'), /not a constructor/],
  ['signatures in DER', () => moduleWith(`sign('sha384', data, this.key)`), /does not verify/],
  ['another hash', () => moduleWith(right.replace('sha384', 'sha256')), /does not verify/],
  ['one signature for all', () => moduleWith(right.replace('data', 'all')), /does not verify/],
  ['a signature that fails', () => moduleWith('Promise.reject(new Error("no entropy"))'), /no entropy/],
])('W34: a file with %s is refused, with its path and what to do', async (_, makeFile, reason) => {
  const file = makeFile();
  await expect(loadNativeSigner(file)).rejects.toMatchObject({
    message: `${file} does not work: build it here with \`npm run build:signer\``,
    cause: { message: expect.stringMatching(reason) },
  });
});

it('W34: a module that signs as it should is accepted', async () => {
  expect(await loadNativeSigner(moduleWith(right))).toBeTypeOf('function');
});

it('W34: the modules of the repository are built from its sources', () => {
  const folder = new URL('../', import.meta.url);
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(new URL(name, folder)))
      .digest('hex');
  for (const [name, hash] of Object.entries(hashes.sources))
    expect([name, hashOf(name)]).toEqual([name, hash]);
  for (const [name, hash] of Object.entries(hashes.modules))
    expect([name, hashOf(`prebuilt/${name}.node`)]).toEqual([name, hash]);
});

const createSign = await loadNativeSigner();
it('W34: on Linux with glibc there is a native signer without a build', () => {
  if (`${process.platform}-${process.arch}` in hashes.modules) expect(createSign).toBeTypeOf('function');
});

describe.runIf(createSign)('the native module', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const isValid = (data: Uint8Array, signature: Uint8Array) =>
    verify('sha384', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);

  it('W34: many signatures at once are all valid, different, and 96 bytes long', async () => {
    const sign = createSign!(privateKey);
    // Tasks of 16, and a rest.
    const datas = Array.from({ length: 501 }, (_, length) => Buffer.alloc(length, length));
    const signatures = await Promise.all(datas.map(sign));
    expect(datas.every((data, index) => isValid(data, signatures[index]!))).toBe(true);
    expect(new Set(signatures.map(({ length }) => length))).toEqual(new Set([96]));
    const ofSameData = await Promise.all([sign(datas[0]!), sign(datas[0]!)]);
    expect(ofSameData[0].equals(ofSameData[1])).toBe(false);
  });

  it('W34: the key is as it was when the signer was made', async () => {
    const sign = createSign!(privateKey);
    createSign!(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
    expect(isValid(Buffer.from('data'), await sign(Buffer.from('data')))).toBe(true);
  });

  it('W34: a key that is not on P-384 is refused', () => {
    const keys = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ec', { namedCurve: 'P-521' }),
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ];
    for (const key of keys)
      expect(() => createSign!(key.privateKey)).toThrow('must be a P-384 private key in PKCS#8');
  });
});
