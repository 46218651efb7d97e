// Verifies a request that somebody captured, and says which step fails: with what receivers install, and our own keys (webhooks W13).
import { createVerifier, importKey } from '@concord/http-message-signatures';
import { type Keys, verifyWebhook, WebhookError } from '@concord/webhook-receiver';
import type { Environment } from '../../signing-keys/index.ts';

type Jwk = { kty: 'EC'; crv: 'P-384'; x: string; y: string; kid: string };
type Publish = (environment: Environment) => Promise<{ keys: Jwk[] }>;

export type Captured = {
  method: string;
  url: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
  environment: Environment;
  /** The moment to verify at: that of the request, when it is older than the tolerance. */
  at: Date;
};

export type Finding = {
  verified: boolean;
  /** The step that fails, its code and why; null when none does. */
  step: string | null;
  code: string | null;
  reason: string | null;
};

const algorithm = 'ecdsa-p384-sha384';

export function createVerifyCaptured({ publish }: { publish: Publish }) {
  const keysOf = (environment: Environment): Keys => ({
    async findKey(kid) {
      const jwk = (await publish(environment)).keys.find((key) => key.kid === kid);
      return jwk && createVerifier(algorithm, await importKey(algorithm, jwk, 'verify'));
    },
  });

  return async ({ method, url, headers, body, environment, at }: Captured): Promise<Finding> => {
    try {
      await verifyWebhook({ method, url, headers, body }, { keys: keysOf(environment), now: () => at.getTime() });
      return { verified: true, step: null, code: null, reason: null };
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return { verified: false, step: error.step, code: error.code, reason: error.message };
    }
  };
}
