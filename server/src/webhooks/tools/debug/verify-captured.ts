// Verifies a captured webhook with the receiver package and our own keys, and says which step fails
// (behaviour W13).
import { createVerifier, importKey } from '@concord/http-message-signatures';
import { type Keys, verifyWebhook, WebhookError } from '@concord/webhook-receiver';
import { type Environment, environments } from '../../signing-keys/index.ts';

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
  const findJwk = async (environment: Environment, kid: string) =>
    (await publish(environment)).keys.find((key) => key.kid === kid);
  /** `onMissing`: called with the id of each key that the environment does not have. */
  const keysOf = (environment: Environment, onMissing: (kid: string) => void): Keys => ({
    async findKey(kid) {
      const jwk = await findJwk(environment, kid);
      if (!jwk) onMissing(kid);
      return jwk && createVerifier(algorithm, await importKey(algorithm, jwk, 'verify'));
    },
  });

  /** For the reason, if the key that was not found is one of the other environment. */
  async function explainMissing(kid: string, environment: Environment): Promise<string> {
    for (const other of environments)
      if (other !== environment && (await findJwk(other, kid)))
        return `. It is a key of the environment ${other}, and the request was verified with the keys of ${environment}`;
    return '';
  }

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
    let missing: string | undefined;
    const keys = keysOf(environment, (kid) => {
      missing ??= kid;
    });
    try {
      await verifyWebhook(
        { method, url, headers, body },
        {
          keys,
          searchUrl,
          now: () => at.getTime(),
          ...(partnerId === undefined ? { anyPartner: true } : { partnerId }),
        },
      );
      return verified;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      const { step, code, message, detail } = error;
      const explanation =
        code === 'key_unknown' && missing !== undefined ? await explainMissing(missing, environment) : '';
      return {
        verified: false,
        step,
        code,
        reason: message + explanation,
        checked_url: detail?.url ?? null,
        signature_base: detail?.base ?? null,
        matching_url: detail?.verifiesWith ?? null,
      };
    }
  };
}
