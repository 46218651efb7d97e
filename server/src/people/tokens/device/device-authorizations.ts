// Device authorization (RFC 8628): a program without a browser asks for an access token, and a person approves it in
// the console.
import { createHmac, randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import { accessTokenOf } from '../../../access/index.ts';
import { addedGrants, permissionName } from '../../../access/permissions/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { addressGroup } from '../../../base/http/address-group.ts';
import type { OauthCode } from '../../../base/http/error-responses.ts';
import { formatId } from '../../../base/ids.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import { deriveKey } from '../../../base/secrets/index.ts';
import { hashOf, newToken } from '../../secret-tokens.ts';
import type { Services } from '../../services.ts';
import { clientId, type DeviceAuthorizationForm, grantType, type TokenForm } from './schema.ts';
import * as store from './store.ts';

const expiresIn = 900;
const interval = 5;
/** Letters that are hard to confuse, without vowels: RFC 8628, section 6.1. 34 bits. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

/** An error in the form of RFC 6749. It is answered, not thrown: what was written must commit. */
export type OauthFailure = { readonly error: OauthCode; readonly description: string };
const failure = (error: OauthCode, description: string): OauthFailure => ({ error, description });

const wrongClient = failure('invalid_client', `client_id must be ${clientId}.`);

/** Letters, marks, digits, punctuation, symbols and spaces, none of which hides, moves or turns other text. */
const visible = /^(?! *$)(?!.*[\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u;

type Asked = NonNullable<Awaited<ReturnType<typeof store.ask>>>;
type Options = Pick<Services, 'db' | 'guards' | 'secrets' | 'baseUrl'>;
/** Who types a user code, which can be a guess. */
type Person = { readonly userId: string; readonly ip: string };
export type Lock = (tx: Transaction) => Promise<NonNullable<Awaited<ReturnType<typeof store.lockOpen>>>>;

export function createDeviceAuthorizations({ db, guards, secrets, baseUrl }: Options) {
  const { macsOf, tokensOf } = createDerived(secrets);

  return {
    async begin({ client_id, client_name }: Static<typeof DeviceAuthorizationForm>, address: string) {
      if (client_id !== clientId) return wrongClient;
      if (client_name !== undefined && !visible.test(client_name))
        return failure('invalid_request', 'client_name must have 1 to 100 visible characters.');
      await guards.deviceAuthorizations.count(addressGroup(address));
      const deviceCode = newToken();
      const userCode = newUserCode();
      const [userCodeMac] = macsOf(userCode);
      const [token] = tokensOf(deviceCode);
      if (userCodeMac === undefined || token === undefined) throw new Error('There is no secret');
      await store.insertRequest(db, {
        deviceCodeHash: hashOf(deviceCode),
        userCodeMac,
        clientName: client_name ?? null,
        address,
        tokenHash: token.hash,
        tokenPrefix: token.prefix,
      });
      const shown = format(userCode);
      const page = `${baseUrl}/console/device`;
      return {
        device_code: deviceCode,
        user_code: shown,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${shown}`,
        expires_in: expiresIn,
        interval,
      };
    },

    /** The token, once. */
    async fetch({ client_id, grant_type, device_code }: Static<typeof TokenForm>) {
      if (client_id !== clientId) return wrongClient;
      if (grant_type !== grantType)
        return failure('unsupported_grant_type', `grant_type must be ${grantType}.`);
      if (device_code === undefined) return failure('invalid_request', 'device_code is required.');
      const hash = hashOf(device_code);
      return db.transaction(async (tx) => {
        const asked = await store.ask(tx, hash);
        if (asked === undefined) return failure('invalid_grant', 'device_code is unknown, or was used.');
        const refusal = refusalOf(asked);
        if (refusal !== null) return refusal;
        const issued = tokensOf(device_code).find((each) => each.hash.equals(asked.token_hash));
        if (issued === undefined)
          throw new Error('The secret of this device authorization is not configured');
        await store.deleteRequest(tx, hash);
        return toIssued(issued.token, asked);
      });
    },

    async read(person: Person, userCode: string) {
      const { client_name, address, created_at, expires_at } = await guessing(
        guards,
        person,
        async (required) => required(await store.selectOpen(db, macsOf(userCode))),
      );
      return {
        user_code: format(normalize(userCode)),
        client_name,
        requested_from: address,
        created_at: created_at.toISOString(),
        expires_at: expires_at.toISOString(),
      };
    },

    /** Runs an answer to the request. `lock` locks it until the transaction ends. @throws ServiceError not_found */
    answering: <T>(person: Person, userCode: string, work: (lock: Lock) => Promise<T>) =>
      guessing(guards, person, (required) =>
        work(async (tx) => required(await store.lockOpen(tx, macsOf(userCode)))),
      ),
  };
}

function createDerived(secrets: Options['secrets']) {
  // The current one first.
  const keys = secrets.map((secret) => deriveKey(secret, 'device authorization'));
  const derive = (key: Buffer, text: string) => createHmac('sha256', key).update(text);
  return {
    /** With a hash alone, a reader of the database could search the 34 bits of a user code. */
    macsOf: (userCode: string) => keys.map((key) => derive(key, `user code ${normalize(userCode)}`).digest()),
    /** Without a key, whoever sees a device code could compute its token. */
    tokensOf: (deviceCode: string) =>
      keys.map((key) => accessTokenOf(derive(key, `device code ${deviceCode}`).digest('hex'))),
  };
}

/**
 * Runs `work`, and counts the code as a guess if it names no open request. The count needs a connection of its
 * own, so `work` begins its transaction itself. @throws ServiceError rate_limited
 */
async function guessing<T>(
  { userCodes }: Options['guards'],
  { userId, ip }: Person,
  work: (required: <Row>(found: Row | undefined) => Row) => Promise<T>,
) {
  const guess = { userId, address: addressGroup(ip) };
  let isWrong = false;
  await userCodes.count(guess);
  try {
    return await work((found) => {
      isWrong = found === undefined;
      if (found === undefined) throw new ServiceError('not_found');
      return found;
    });
  } finally {
    if (!isWrong) await userCodes.refund(guess);
  }
}

function refusalOf({ state, too_soon }: Asked) {
  if (state === 'expired') return failure('expired_token', 'The code has expired. Begin again.');
  if (state === 'denied') return failure('access_denied', 'The person has denied the request.');
  if (too_soon) return failure('slow_down', 'Wait five more seconds between two questions.');
  if (state === 'pending')
    return failure('authorization_pending', 'Nobody has approved the code yet. Ask again.');
  return null;
}

function toIssued(token: string, { scopes, partner_ids: partners, seconds_left }: Asked) {
  const [partner, ...others] = partners ?? [];
  return {
    access_token: token,
    token_type: 'Bearer' as const,
    expires_in: seconds_left ?? 0,
    scope: addedGrants([], scopes ?? [])
      .map(permissionName)
      .join(' '),
    partner_id: partner === undefined || others.length > 0 ? null : formatId('partner', partner),
  };
}

const newUserCode = () =>
  Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('');
const normalize = (userCode: string) => userCode.replaceAll(/[^a-z]/gi, '').toUpperCase();
const format = (code: string) => `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
