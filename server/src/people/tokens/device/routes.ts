// The HTTP of device authorization: what the program sends, in the forms of RFC 8628, and what the person answers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, createRoutes } from '../../../access/index.ts';
import { changesBetween, recordAction, splitChanges } from '../../../audit/index.ts';
import { asForm } from '../../../base/http/raw-body.ts';
import { PathId } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import type { Services } from '../../services.ts';
import { revokeItself } from '../access-tokens.ts';
import { createOwnToken } from '../routes.ts';
import { AccessToken, CreateAccessToken } from '../schema.ts';
import { createDeviceAuthorizations, type Lock, type OauthFailure } from './device-authorizations.ts';
import * as wire from './schema.ts';
import { approve, deny } from './store.ts';

const form = { consumes: ['application/x-www-form-urlencoded'] };
const bodyLimit = 4_096;
const params = Type.Object({ user_code: PathId('The code that the program shows') });

export function registerDeviceRoutes(server: HttpServer, services: Services) {
  const authorizations = createDeviceAuthorizations(services);
  const routes = createRoutes(server, 'Access tokens');
  registerProgramsRoutes(routes, services, authorizations);
  registerPersonsRoutes(routes, services, authorizations);
}

type Routes = ReturnType<typeof createRoutes>;
type Authorizations = ReturnType<typeof createDeviceAuthorizations>;

function registerProgramsRoutes(routes: Routes, { db, access }: Services, authorizations: Authorizations) {
  const ofForm = { access: access.anyone, bodyLimit, schema: form, noStore: true, errors: [] } as const;
  routes.plain('POST', '/oauth/device_authorization', {
    ...ofForm,
    operationId: 'beginDeviceAuthorization',
    summary: 'Ask for an access token from a program without a browser',
    description:
      'RFC 8628, section 3.1. Show the person `user_code` and `verification_uri`, and ask for the token meanwhile.',
    body: asForm(wire.DeviceAuthorizationForm),
    answer: wire.DeviceAuthorization,
    run: async ({ body, request, reply }) =>
      answerForm(request, reply, await authorizations.begin(body, request.ip)),
  });
  routes.plain('POST', '/oauth/token', {
    ...ofForm,
    operationId: 'fetchDeviceToken',
    summary: 'Get the access token that a person has approved',
    description:
      'RFC 8628, section 3.4. The token is answered once. Ask again after `authorization_pending`.',
    body: asForm(wire.TokenForm),
    answer: wire.IssuedToken,
    run: async ({ body, request, reply }) => answerForm(request, reply, await authorizations.fetch(body)),
  });
  routes.plain('POST', '/oauth/revoke', {
    ...ofForm,
    operationId: 'revokeOwnToken',
    summary: 'End an access token',
    description: 'RFC 7009: whoever has the token may end it. The answer is the same for every text.',
    body: asForm(wire.RevokeForm),
    answer: wire.Revoked,
    async run({ body, request }) {
      await db.transaction((tx) => revoke(tx, body.token, request));
      return {};
    },
  });
}

function registerPersonsRoutes(routes: Routes, services: Services, authorizations: Authorizations) {
  const { db, access } = services;
  const path = '/me/device-authorizations/:user_code';
  routes.plain('GET', path, {
    operationId: 'getDeviceAuthorization',
    summary: 'Read which program shows a code',
    description:
      'Codes that are unknown, answered or expired are 404. More than ten of them in 15 minutes are 429.',
    access: access.inSession,
    params,
    noStore: true,
    answer: wire.OpenDeviceAuthorization,
    run: ({ granted, params, request }) => authorizations.read(personOf(granted, request), params.user_code),
  });
  routes.plain('POST', `${path}/approve`, {
    operationId: 'approveDeviceAuthorization',
    summary: 'Give the program an access token',
    description:
      'Creates the access token, as POST /me/access-tokens does. Only the program gets its text, once.',
    access: access.inProvenSession,
    params,
    body: CreateAccessToken,
    noStore: true,
    answer: AccessToken,
    run: ({ granted, body, params, request }) =>
      authorizations.answering(personOf(granted, request), params.user_code, async (lock) => {
        const { shown } = await createOwnToken(services, granted, body, request, async (tx) => {
          const { device_code_hash, token_hash, token_prefix } = await lock(tx);
          return {
            made: { hash: token_hash, prefix: token_prefix },
            created: (id) => approve(tx, device_code_hash, id),
          };
        });
        return shown;
      }),
  });
  routes.plain('POST', `${path}/deny`, {
    operationId: 'denyDeviceAuthorization',
    summary: 'Refuse the program',
    description: 'The program learns it when it asks next.',
    access: access.inSession,
    params,
    answer: Type.Null({ description: 'Denied' }),
    run({ granted, params, request }) {
      const { actor, recheck } = granted;
      const refuse = (lock: Lock) =>
        db.transaction(async (tx) => {
          await recheck(tx);
          const { device_code_hash } = await lock(tx);
          await deny(tx, device_code_hash);
          await recordAction(tx, {
            actor,
            partnerId: null,
            action: 'device_authorization.deny',
            target: null,
            changes: { denied: { before: false, after: true } },
          });
        });
      return authorizations.answering(personOf(granted, request), params.user_code, refuse);
    },
  });
}

async function revoke(tx: Transaction, text: string, { id, ip }: FastifyRequest): Promise<void> {
  const gone = await revokeItself(tx, text);
  if (gone === undefined) return;
  const { userId, partnerId, token } = gone;
  const all = changesBetween(token, null);
  // As in the logs of the other ways to revoke it: the name of a personal token is personal.
  const { changes, personal } = splitChanges(all, partnerId === null ? ['name'] : []);
  await recordAction(tx, {
    actor: {
      kind: partnerId === null ? 'person' : 'service_account',
      userId,
      credential: { kind: 'token', id: token.id },
      requestId: id,
      address: ip,
    },
    partnerId,
    action: 'access_token.revoke',
    target: token.id,
    changes,
    ...(partnerId === null && { personal: { subject: userId, changes: personal } }),
  });
}

const personOf = ({ principal }: Caller, { ip }: FastifyRequest) => ({ userId: principal.userId, ip });

function answerForm<Result extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  result: Result | OauthFailure,
): Result | FastifyReply {
  if (!('error' in result)) return result;
  const { error, description } = result;
  return reply.code(400).send({
    error,
    error_description: description,
    message: description,
    code: 'invalid_request',
    request_id: request.id,
  });
}
