// Verifies the log against its seals, also while Concord runs.
import type { Database } from '../../base/postgres/database.ts';
import { isSameSecret } from '../../base/secrets/index.ts';
import { isReadable, macLength, macOfDrop, macOfRow, macOfSeal, type SealKeys, timeOfRow } from './seal.ts';
import * as store from './store.ts';

const sealsPerPage = 20;
const positionsPerPage = 10_000;
const sealsPerReport = 1_000;
/** Concord seals a row within seconds, except those of a long transaction or of the second before a stop. */
const lateMs = 3_600_000;
/** More findings are only counted. */
const maxFindings = 1_000;

type Options = {
  db: Database;
  keys: SealKeys;
  /** The head that an earlier verification printed. */
  expected: string | undefined;
  progress: (line: string) => void;
};

export async function verifyLog({ expected, ...options }: Options) {
  const run = createRun(options, expected);
  const { db, find, changed } = run;
  await verifySeals(run);
  await findInserted(run);
  const homes = new Map(changed.map(({ position, sealed }) => [sealed, position]));
  for (const { position, found } of changed) {
    const home = homes.get(found);
    find(`row ${position}: ${home === undefined ? 'changed' : `swapped, it has the content of row ${home}`}`);
  }
  for (const position of await store.selectLost(db, maxFindings))
    find(`row ${position}: missing, and it was not sealed yet`);
  if (run.expected !== undefined)
    find(`no seal has the expected MAC ${expected}: the end of the log was cut`);
  return {
    findings: run.findings,
    ...run.counts,
    waitingSince: (await store.selectWaitingSince(db)) ?? null,
    /** The MAC of the last seal. Null: there is no seal. */
    head: run.head?.toString('hex') ?? null,
  };
}

function createRun(options: Omit<Options, 'expected'>, expected: string | undefined) {
  const findings: string[] = [];
  const counts = {
    findingCount: 0,
    seals: 0,
    rows: 0,
    /** Rows that wait for their seal. */
    waiting: 0,
    /** Rows that were sealed more than an hour after they were written. */
    late: 0,
    /** Rows whose retention has ended. */
    dropped: 0,
    /** Rows with erased personal values. */
    erased: 0,
  };
  return {
    ...options,
    findings,
    counts,
    find(finding: string): void {
      counts.findingCount++;
      if (findings.length < maxFindings) findings.push(finding);
    },
    /** To recognise content that now stands at another position. */
    changed: [] as { position: string; sealed: string; found: string }[],
    sealed: createPositionSet(),
    dropped: createPositionSet(),
    head: null as Buffer | null,
    lastId: '0',
    /** Undefined when a seal has it. */
    expected,
  };
}

type Run = ReturnType<typeof createRun>;

async function verifySeals(run: Run): Promise<void> {
  const { counts } = run;
  for (;;) {
    const seals = await store.selectSealsAfter(run.db, run.lastId, sealsPerPage);
    for (const seal of seals) {
      await verifySeal(run, seal);
      if (counts.seals % sealsPerReport === 0)
        run.progress(`Verified ${counts.seals} seals and ${counts.rows} rows.`);
    }
    if (seals.length < sealsPerPage) return;
  }
}

async function verifySeal(run: Run, seal: store.StoredSeal): Promise<void> {
  const { find, head, lastId } = run;
  const missing = BigInt(seal.id) - BigInt(lastId) - 1n;
  if (missing > 0n)
    find(`seal ${BigInt(lastId) + 1n}: missing${missing > 1n ? `, and the ${missing - 1n} after it` : ''}`);
  run.lastId = seal.id;
  run.head = seal.mac;
  if (seal.mac.toString('hex') === run.expected) run.expected = undefined;
  run.counts.seals++;
  if (!isReadable(seal)) return find(`seal ${seal.id}: broken`);
  for (const position of seal.positions)
    if (!run.sealed.add(position)) find(`row ${position}: in two seals, of which one is seal ${seal.id}`);
  const key = run.keys.of(seal.secretVersion);
  if (key === undefined)
    return find(`seal ${seal.id}: version ${seal.secretVersion} of the secrets is not configured`);
  // The MAC of a seal after a missing one cannot be computed.
  if (missing === 0n && !isSameSecret(macOfSeal(key, head, seal), seal.mac)) find(`seal ${seal.id}: broken`);
  if (seal.droppedAt === null) return verifyRows(run, key, seal);
  verifyDrop(run, key, seal);
}

function verifyDrop(run: Run, key: Buffer, { droppedAt, droppedMac, ...seal }: store.StoredSeal): void {
  run.counts.dropped += seal.positions.length;
  const isProven =
    droppedAt !== null && droppedMac !== null && isSameSecret(macOfDrop(key, seal, droppedAt), droppedMac);
  if (!isProven) run.find(`seal ${seal.id}: its rows are missing, and the retention did not drop them`);
  else for (const position of seal.positions) run.dropped.add(position);
}

async function verifyRows(run: Run, key: Buffer, seal: store.StoredSeal): Promise<void> {
  const { db, find, counts, changed } = run;
  const rows = new Map((await store.selectRows(db, seal.positions)).map((row) => [row.position, row]));
  if (rows.size < seal.positions.length) {
    // The retention may have dropped them meanwhile.
    const [now] = await store.selectSealsAfter(db, String(BigInt(seal.id) - 1n), 1);
    if (now?.id === seal.id && now.droppedAt !== null) return verifyDrop(run, key, now);
  }
  for (const [index, position] of seal.positions.entries()) {
    const row = rows.get(position);
    if (row === undefined) {
      find(`row ${position}: missing`);
      continue;
    }
    counts.rows++;
    if (row.erased) counts.erased++;
    if (seal.sealedAt.getTime() - timeOfRow(row) > lateMs) counts.late++;
    if (row.altered) find(`row ${position}: its personal values were changed`);
    const mac = macOfRow(key, row);
    const expectedMac = seal.rowMacs.subarray(index * macLength, (index + 1) * macLength);
    if (isSameSecret(mac, expectedMac)) continue;
    if (changed.length >= maxFindings) find(`row ${position}: changed`);
    else changed.push({ position, sealed: expectedMac.toString('hex'), found: mac.toString('hex') });
  }
}

/** Rows that neither have a seal nor wait for one. */
async function findInserted(run: Run): Promise<void> {
  const { db, find, sealed } = run;
  const candidates: string[] = [];
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const page = await store.selectPositionsAfter(db, after, positionsPerPage);
    for (const { position, waiting } of page) {
      if (waiting) run.counts.waiting++;
      if (run.dropped.has(position))
        find(`row ${position}: inserted, the retention dropped the row of this position`);
      else if (!waiting && !sealed.has(position)) candidates.push(position);
    }
    after = page.length < positionsPerPage ? undefined : page.at(-1)?.position;
  }
  // Rows that were sealed meanwhile.
  await verifySeals(run);
  for (const position of candidates)
    if (!sealed.has(position)) find(`row ${position}: inserted, no seal covers it`);
}

const bitsPerChunk = 65_536n;

function createPositionSet() {
  const chunks = new Map<bigint, Uint8Array>();
  const placeOf = (position: string) => {
    const value = BigInt(position);
    const bit = Number(BigInt.asUintN(16, value));
    return { chunk: value / bitsPerChunk - (value < 0n ? 1n : 0n), byte: bit >> 3, mask: 1 << (bit & 7) };
  };
  const has = (position: string) => {
    const { chunk, byte, mask } = placeOf(position);
    return ((chunks.get(chunk)?.[byte] ?? 0) & mask) !== 0;
  };
  return {
    has,
    /** False: it was there already. */
    add(position: string): boolean {
      if (has(position)) return false;
      const { chunk, byte, mask } = placeOf(position);
      const bits = chunks.get(chunk) ?? new Uint8Array(Number(bitsPerChunk) / 8);
      bits[byte] = (bits[byte] ?? 0) | mask;
      chunks.set(chunk, bits);
      return true;
    },
  };
}
