// Visits to identity providers: the browser leaves with a state, and returns with the answer of the provider.
import type { FastifyRequest } from 'fastify';
import type { Caller, Granted } from '../../../access/index.ts';
import { domainOf, storedEmailKey } from '../../../base/email.ts';
import { ServiceError } from '../../../base/errors.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { createEncryption } from '../../../base/secrets/index.ts';
import { hashOf, newToken, selectVerifiedEmail } from '../../../people/index.ts';
import type { Options } from '../../options.ts';
import type { Connection } from '../connections/store.ts';
import { type Answers, type Outcome, requireUnchanged } from './answers.ts';
import { type IdentityProviders, reasonOf, type Secrets } from './provider.ts';
import type * as wire from './schema.ts';
import * as store from './store.ts';

/** The page of the console to which a proof or a test returns. */
const returnPage = '/console/connection-return';

type Leaving = Pick<store.Visit, 'purpose' | 'sessionId'> &
  Pick<Parameters<IdentityProviders['leave']>[1], 'loginHint' | 'maxAge'>;
/** The cookie of the browser has this name, and `browser` as its value. */
export type Left = { url: string; cookie: string; browser: string };

/** One cookie for each visit, so that two of one browser do not end each other. */
const cookieOfState = (state: string) => `concord_connection_${hashOf(state).subarray(0, 6).toString('hex')}`;
const callbackOf = (baseUrl: string, connectionId: string) =>
  `${baseUrl}/api/auth/connections/${formatId('identity_connection', connectionId)}/callback`;
const encryptionOf = ({ secrets }: Options) => createEncryption(secrets, 'identity visit');

export function createDepartures(options: Options, providers: IdentityProviders) {
  const { db, baseUrl, connectionSignIn } = options;
  const encryption = encryptionOf(options);

  async function leave(
    request: FastifyRequest,
    connection: Connection,
    { purpose, sessionId, ...hints }: Leaving,
  ) {
    const [state, browser] = [newToken(), newToken()];
    const { connection_id: connectionId, partner_id: partnerId, revision } = connection;
    const redirectUri = callbackOf(baseUrl, connectionId);
    const { url, secrets } = await providers.leave(connection, { redirectUri, state, ...hints });
    const begun = connectionSignIn.beginVisit(request);
    const page = purpose === 'sign_in' ? begun : begun?.replace(/^[^?]*/, returnPage);
    const stateHash = hashOf(state);
    const begins = await store.insertVisit(db, stateHash, hashOf(browser), {
      connectionId,
      partnerId,
      revision,
      purpose,
      sessionId,
      secrets: encryption.encrypt(JSON.stringify(secrets), stateHash.toString('hex')),
      page: page ?? null,
    });
    if (!begins) throw new ServiceError('not_found');
    return { url, cookie: cookieOfState(state), browser };
  }

  return {
    /** @throws ServiceError not_found, provider_unavailable */
    async signIn(request: FastifyRequest, by: wire.SignInWithConnection) {
      const connection = await find(db, by);
      if (!connection) throw new ServiceError('not_found');
      return leave(request, connection, {
        purpose: 'sign_in',
        sessionId: null,
        loginHint: by.email,
        maxAge: connection.sso_required ? connection.sso_max_age_seconds : undefined,
      });
    },

    /** For the partner, in the session of the caller. @throws ServiceError not_found, provider_unavailable */
    async prove(request: FastifyRequest, { principal }: Caller, partnerId: string) {
      const { userId, credential } = principal;
      const uuid = parseId('partner', partnerId);
      if (uuid === null || !(await store.isMember(db, userId, uuid))) throw new ServiceError('not_found');
      const email = (await selectVerifiedEmail(db, userId)) ?? '';
      const connection = await store.selectOfPerson(db, uuid, userId, domainOf(storedEmailKey(email) ?? ''));
      if (!connection)
        throw new ServiceError('not_found', { detail: 'The partner has no identity provider that is on.' });
      return leave(request, connection, {
        purpose: 'prove',
        sessionId: credential.id,
        loginHint: email,
        maxAge: connection.sso_max_age_seconds,
      });
    },

    /** A real sign-in of an owner, before the connection is switched on. */
    async test(request: FastifyRequest, { principal, partnerId }: Granted, connectionId: string) {
      const connection = await store.findConnection(db, connectionId);
      if (connection?.partner_id !== partnerId) throw new ServiceError('not_found');
      const visit = { purpose: 'test', sessionId: principal.credential.id } as const;
      return leave(request, connection, visit).catch(explain);
    },
  };
}

async function find(db: Database, { email, connection_id = '' }: wire.SignInWithConnection) {
  if (email !== undefined) {
    const key = storedEmailKey(email);
    return key === null ? undefined : store.selectOfDomain(db, domainOf(key));
  }
  const connection = await store.findConnection(db, connection_id);
  return connection?.enabled ? connection : undefined;
}

/** Tells only about the domain, so it says nothing about accounts. */
export async function findSignInMethods(db: Database, email: string) {
  const found = await find(db, { email });
  return {
    connection: found ? { id: formatId('identity_connection', found.connection_id), name: found.name } : null,
  };
}

export function createComeBack(options: Options, providers: IdentityProviders, answers: Answers) {
  const { db, baseUrl, connectionSignIn } = options;
  const encryption = encryptionOf(options);

  async function readAnswer(
    request: FastifyRequest,
    visit: store.TakenVisit,
    state: string,
    query: Readonly<Record<string, string>>,
  ): Promise<Outcome> {
    const connection = await store.selectConnection(db, visit.connectionId);
    if (!connection) throw new ServiceError('provider_refused');
    requireUnchanged(connection, visit);
    const context = hashOf(state).toString('hex');
    const secrets = JSON.parse(encryption.decrypt(visit.secrets, context)) as Secrets;
    const callback = callbackOf(baseUrl, connection.connection_id);
    const url = new URL(`${callback}?${new URLSearchParams(query)}`);
    const answer = providers.answerOf(connection, url, state, secrets);
    const claims = await (visit.purpose === 'test' ? answer.catch(explain) : answer);
    return answers.accept(request, visit, claims);
  }

  /** What the page gets stands in its fragment, which no server sees. */
  async function toPage(page: string, outcome: Outcome) {
    const bare = page.split('?')[0];
    if ('linkCode' in outcome) return `${bare}#link=${outcome.linkCode}`;
    if ('proved' in outcome) return `${bare}#proved=${outcome.proved}`;
    if ('tested' in outcome) return `${bare}#tested=${outcome.tested}`;
    return connectionSignIn.endVisit(page, outcome);
  }

  /** Also for an answer that is an error, so that its state does not work again. */
  return async function comeBack(
    request: FastifyRequest,
    connectionId: string,
    query: Readonly<Record<string, string>>,
    browserOf: (cookie: string) => string | undefined,
  ): Promise<Outcome | { page: string }> {
    const uuid = parseId('identity_connection', connectionId);
    const { state } = query;
    const browser = state === undefined ? undefined : browserOf(cookieOfState(state));
    const visit =
      uuid === null || state === undefined || browser === undefined
        ? undefined
        : await store.takeVisit(db, hashOf(state), hashOf(browser), uuid);
    if (!visit || state === undefined)
      throw new ServiceError('provider_refused', {
        detail: 'This answer of the identity provider belongs to no visit of this browser. Start at Concord.',
      });
    const { page } = visit;
    const outcome = readAnswer(request, visit, state, query);
    if (page === null) return outcome;
    try {
      return { page: await toPage(page, await outcome) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const text = error.status === 500 ? '' : `&message=${encodeURIComponent(error.message)}`;
      return { page: `${page.split('?')[0]}#error=${error.code}${text}` };
    }
  };
}

/** For an owner who tests the connection. Nobody else learns the cause, which can name addresses of the provider. */
function explain(error: unknown): never {
  if (!(error instanceof ServiceError && error.cause instanceof Error)) throw error;
  const { code, headers, cause } = error;
  throw new ServiceError(code, { detail: `The provider cannot be used: ${reasonOf(cause)}`, headers, cause });
}
