// Verifies a captured webhook with the receiver package and our own keys, and says which step fails
// (behaviour W13).
import { createVerifier, importKey } from '@concord/http-message-signatures';
import { type Keys, verifyWebhook, WebhookError } from '@concord/webhook-receiver';
import type { Environment } from '../../signing-keys/index.ts';

type Jwk = { kty: 'EC'; crv: 'P-384'; x: string; y: string; kid: string };
type Publish = (environment: Environment) => Promise<{ keys: Jwk[] }>;

export type Captured = {
  method: string;
  url: string;
  headers: Record<string, string | string[]> | [name: string, value: string][];
  body: Buffer;
  environment: Environment;
  /** The time at which to verify. An old request verifies only at its own time. */
  at: Date;
  /** The only partner whose events are accepted. Default: every partner. */
  partnerId?: string;
  /** False: tries no similar URLs. For requests of strangers, since a search takes 13 verifications. */
  searchUrl?: boolean;
};

export type Finding = {
  verified: boolean;
  /** The step that fails, with its code and reason. Null if no step fails. */
  step: string | null;
  code: string | null;
  reason: string | null;
  /** What was checked when the signature is invalid, and a similar URL that verifies; otherwise null. */
  checked_url: string | null;
  signature_base: string | null;
  matching_url: string | null;
};

const verified: Finding = {
  verified: true,
  step: null,
  code: null,
  reason: null,
  checked_url: null,
  signature_base: null,
  matching_url: null,
};

const algorithm = 'ecdsa-p384-sha384';

export function createVerifyCaptured({ publish }: { publish: Publish }) {
  const keysOf = (environment: Environment): Keys => ({
    async findKey(kid) {
      const jwk = (await publish(environment)).keys.find((key) => key.kid === kid);
      return jwk && createVerifier(algorithm, await importKey(algorithm, jwk, 'verify'));
    },
  });

  return async ({
    method,
    url,
    headers,
    body,
    environment,
    at,
    partnerId,
    searchUrl = true,
  }: Captured): Promise<Finding> => {
    try {
      await verifyWebhook(
        { method, url, headers, body },
        {
          ...{ keys: keysOf(environment), searchUrl, now: () => at.getTime() },
          ...(partnerId === undefined ? { anyPartner: true } : { partnerId }),
        },
      );
      return verified;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      const { step, code, message, detail } = error;
      return {
        ...{ verified: false, step, code, reason: message },
        checked_url: detail?.url ?? null,
        signature_base: detail?.base ?? null,
        matching_url: detail?.verifiesWith ?? null,
      };
    }
  };
}
