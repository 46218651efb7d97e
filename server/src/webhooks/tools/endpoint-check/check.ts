// The cases of a check: what each sends, what the receiver must answer, and what to change. Pure.
import type { Outcome } from '../../../base/egress/index.ts';

/** How a case ended. `error` null: the receiver answered. */
export type Result = Readonly<{
  name: CaseName;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
}>;

type Meaning = Readonly<{
  /** What is wrong if the receiver answers, but with another status than it must. */
  problem: string;
  advice: string;
}>;

/** By case, in the order in which they are sent. */
const meanings = {
  accepts_good: {
    problem: 'The receiver refuses a request that is correct.',
    advice:
      'Verify the raw body, over the URL exactly as the endpoint shows it, with the keys of its environment. POST /webhook-debug/verify names the step that fails. Answer 2xx to a request that verifies.',
  },
  refuses_missing_signature: {
    problem: 'The receiver accepts a request without the headers Signature and Signature-Input.',
    advice: 'Refuse a request that has no signature, before the body is used.',
  },
  refuses_wrong_signature: {
    problem: 'The receiver accepts a request whose signature is wrong.',
    advice: 'Verify the signature with the public key, and refuse the request if it does not match.',
  },
  refuses_stale: {
    problem: 'The receiver accepts a request that was signed 15 minutes ago.',
    advice:
      'Compare created of the signature with the clock, and refuse a difference of more than 300 seconds.',
  },
  refuses_foreign_partner: {
    problem: 'The receiver accepts an event of another partner, which Concord has signed.',
    advice: 'Compare partner_id of the verified body with the id of your partner, and refuse any other.',
  },
  refuses_foreign_url: {
    problem: 'The receiver accepts a request that was signed for another URL.',
    advice:
      'Require that the signature covers @target-uri, and verify it over the URL of this endpoint, not over one from the request.',
  },
  refuses_changed_body: {
    problem: 'The receiver accepts a request whose body was changed after it was signed.',
    advice:
      'Compute the digest of the raw body, and compare it with Content-Digest, which the signature covers.',
  },
  refuses_unknown_key: {
    problem: 'The receiver accepts a signature by a key that Concord does not publish.',
    advice:
      'Find the key by keyid in the JWKS of Concord only. Refuse the request if it is not there, and take no key from the request.',
  },
  accepts_largest_body: {
    problem: 'The receiver refuses a correct request with the largest body, 257 KiB.',
    advice: 'Raise the limit of bodies to at least 257 KiB, also in proxies and frameworks before your code.',
  },
  accepts_same_delivery_twice: {
    problem: 'The receiver refuses a delivery that it has got before, in a new attempt with a new signature.',
    advice:
      'Delivery is at least once. Remember Webhook-Id, and answer 2xx without handling the event again.',
  },
} as const satisfies Record<string, Meaning>;
export type CaseName = keyof typeof meanings;
export const caseNames = Object.keys(meanings) as CaseName[];

const unanswered =
  'Answer each request with a status, in time and without a redirect. A request that is refused needs an answer too.';

export const isExpectedToPass = (name: CaseName): boolean => name.startsWith('accepts_');

/** A refusal is an answer too: a receiver that is away refuses nothing. */
export function isPassed({ name, status_code: status }: Result): boolean {
  return status !== null && (status >= 200 && status < 300) === isExpectedToPass(name);
}

export function toResult(name: CaseName, outcome: Outcome): Result {
  const answered = outcome.kind === 'answered';
  return {
    name,
    status_code: answered ? outcome.status : null,
    duration_ms: outcome.durationMs,
    error: answered ? null : `${outcome.reason}: ${outcome.detail}`,
  };
}

export function explain(result: Result): Meaning {
  if (result.error !== null)
    return { problem: `The receiver gave no answer: ${result.error}.`, advice: unanswered };
  const { problem, advice } = meanings[result.name];
  const failed =
    (result.status_code ?? 0) >= 500 ? 'The receiver itself failed: look at its log first. ' : '';
  return { problem: `${problem} It answered ${result.status_code}.`, advice: failed + advice };
}
