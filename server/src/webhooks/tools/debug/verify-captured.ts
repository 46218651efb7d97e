// Verifies a captured webhook with the receiver package, and says which step fails (behaviour W13).
import { createVerifier, importKey } from '@concord/http-message-signatures';
import { type Keys, verifyWebhook, WebhookError } from '@concord/webhook-receiver';
import type { Static } from 'typebox';
import { type Environment, environments } from '../../environments.ts';
import type { SigningKeys } from '../../signing-keys/index.ts';
import type { Verification } from './schema.ts';

export type Captured = {
  method: string;
  url: string;
  headers: Record<string, string | string[]> | [name: string, value: string][];
  body: Buffer;
  environment: Environment;
  /** An old request verifies only at its own time. */
  at: Date;
  /** Whose events are accepted. Default: those of every partner. */
  partnerId?: string;
  /** Default: true. False for requests of strangers: trying similar URLs takes 13 verifications. */
  searchUrl?: boolean;
};

export type Finding = Static<typeof Verification>;

const algorithm = 'ecdsa-p384-sha384';

export function createVerifyCaptured({ publish }: Pick<SigningKeys, 'publish'>) {
  const findJwk = async (environment: Environment, kid: string) =>
    (await publish(environment)).keys.find((key) => key.kid === kid);
  async function explainMissing(kid: string, environment: Environment): Promise<string> {
    for (const other of environments)
      if (other !== environment && (await findJwk(other, kid)))
        return `. It is a key of the environment ${other}, and the request was verified with the keys of ${environment}`;
    return '';
  }

  return async ({ environment, at, partnerId, searchUrl = true, ...request }: Captured): Promise<Finding> => {
    let missing: string | undefined;
    const keys: Keys = {
      async findKey(kid) {
        const jwk = await findJwk(environment, kid);
        if (!jwk) missing ??= kid;
        return jwk && createVerifier(algorithm, await importKey(algorithm, jwk, 'verify'));
      },
    };
    const whose = partnerId === undefined ? ({ anyPartner: true } as const) : { partnerId };
    try {
      await verifyWebhook(request, { keys, searchUrl, now: () => at.getTime(), ...whose });
      return {
        verified: true,
        step: null,
        code: null,
        reason: null,
        checked_url: null,
        signature_base: null,
        matching_url: null,
      };
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
