// Chooses which deliveries of an endpoint are sent in which batch (behaviour W70). Pure.
import type { Terms } from '../../lanes/hand-over.ts';

/** The body of a batch has at most so many bytes, unless it has one event. */
export const maxBatchBytes = 1024 * 1024;

/** A pending delivery, in the order in which the endpoint gets them. */
export type Candidate = Readonly<{
  id: string;
  /** It is in a batch already. */
  batch_id: string | null;
  attempt_count: number;
  /** Negative: it has been due for so long. */
  due_in_ms: number;
  /** Null: the candidates before it fill all requests. */
  body: string | null;
}>;
export type BatchTerms = Readonly<{
  ordering: Terms['ordering'];
  maxEvents: number;
  /** The most requests. */
  share: number;
}>;

type WithBody<C> = C & { readonly body: string };
/** `resent` have been formed before. `waitMs`: until a batch that is not full is due. */
export type Choice<C extends Candidate> = Readonly<{
  resent: readonly string[];
  formed: readonly (readonly WithBody<C>[])[];
  waitMs: number;
}>;

/** One request: a batch that is there, or one to form. */
type Unit<C extends Candidate> = Readonly<{ isDue: boolean; dueInMs: number }> &
  ({ readonly batchId: string } | { readonly members: readonly WithBody<C>[] });

export function choose<C extends Candidate>(candidates: readonly C[], terms: BatchTerms): Choice<C> {
  const { ordering, share } = terms;
  const units = toUnits(candidates, terms);
  // The first one of a strict endpoint decides: none overtakes it.
  const next = ordering === 'strict' ? units.slice(0, 1) : units;
  const sent = next.filter(({ isDue }) => isDue).slice(0, share);
  return {
    resent: sent.flatMap((unit) => ('batchId' in unit ? [unit.batchId] : [])),
    formed: sent.flatMap((unit) => ('members' in unit ? [unit.members] : [])),
    waitMs: Math.min(...next.flatMap(({ isDue, dueInMs }) => (isDue ? [] : [dueInMs]))),
  };
}

function toUnits<C extends Candidate>(
  candidates: readonly C[],
  { ordering, maxEvents }: BatchTerms,
): Unit<C>[] {
  const units: Unit<C>[] = [];
  const known = new Set<string>();
  /** A batch that is being filled with deliveries that have had no attempt. */
  let open: WithBody<C>[] = [];
  // Two, less a comma: each event is counted with one.
  const bracketBytes = 1;
  let bytes = bracketBytes;
  const close = (isComplete: boolean) => {
    const [first] = open;
    if (!first) return;
    units.push({ members: open, isDue: isComplete || first.due_in_ms <= 0, dueInMs: first.due_in_ms });
    open = [];
    bytes = bracketBytes;
  };
  for (const each of candidates) {
    const { batch_id: batchId, attempt_count: attempts, due_in_ms: dueInMs, body } = each;
    // A process can have died before the first attempt of a batch.
    const isDue = dueInMs <= 0 || (batchId !== null && attempts === 0);
    // At a strict endpoint, nothing that comes later can join what is before this one.
    if (ordering === 'strict' && (batchId !== null || attempts > 0)) close(true);
    if (batchId !== null) {
      if (!known.has(batchId)) units.push({ batchId, isDue, dueInMs });
      known.add(batchId);
    } else if (body === null) break;
    else if (attempts > 0) units.push({ members: [{ ...each, body }], isDue, dueInMs });
    else {
      const added = Buffer.byteLength(body) + 1;
      if (bytes + added > maxBatchBytes) close(true);
      open.push({ ...each, body });
      bytes += added;
      if (open.length >= maxEvents) close(true);
    }
  }
  close(candidates.some(({ body, batch_id }) => body === null && batch_id === null));
  return units;
}
