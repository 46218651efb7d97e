// Tokens in bodies of the API are cookies of the console, so no script can read them. The schemas of a route
// decide.
import type { FastifyRequest, preSerializationAsyncHookHandler, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { createAttached } from '../attached.ts';
import { serializer } from '../http/serialization.ts';
import type { CookieKind } from './cookies.ts';
import { cookieOf, isFromConsole, setCookie } from './requests.ts';

const kinds = {
  token: 'session',
  twoFactorToken: 'twoFactor',
  trustDeviceToken: 'device',
} as const satisfies Record<string, CookieKind>;
type Member = keyof typeof kinds;
const members = Object.keys(kinds) as Member[];

type ObjectSchema = { properties?: Record<string, { pattern?: string }>; required?: string[] };

/** An access token is for a program, so it stays in the body that shows it. */
const isShown = ({ pattern }: { pattern?: string }) => pattern?.startsWith('^concord_pat_');

export function carriedBy(schema: unknown): Member[] {
  const { properties = {} } = (schema ?? {}) as ObjectSchema;
  return members.filter((member) => properties[member] !== undefined && !isShown(properties[member]));
}

/** A `token` in a body comes from a mail or a terminal, never from a cookie. */
const takenBy = (schema: unknown): Member[] => carriedBy(schema).filter((member) => member !== 'token');

/** Another port of this host can set our cookies. A garbled one must not block sign-in. */
const tokenForm = /^[A-Za-z0-9._%!=+/-]{1,400}$/;

function tokenOf(request: FastifyRequest, kind: CookieKind): string | undefined {
  const value = cookieOf(request, kind);
  if (value === undefined || tokenForm.test(value)) return value;
  setCookie(request, kind, null);
  return undefined;
}

type Schemas = { body?: unknown; response?: unknown };
const successOf = ({ response }: Schemas = {}) => (response as Record<string, unknown> | undefined)?.['200'];

/** Such a request takes no part in a session. */
export const completesSignIn = (request: FastifyRequest): boolean =>
  takenBy((request.routeOptions.schema as Schemas | undefined)?.body).includes('twoFactorToken') &&
  tokenOf(request, 'twoFactor') !== undefined;

export const answersWithTokens = (request: FastifyRequest): boolean =>
  carriedBy(successOf(request.routeOptions.schema as Schemas | undefined)).length > 0;

/** An onRoute hook, so that other routes pay nothing. */
export function carryTokens(route: RouteOptions): void {
  const schemas = route.schema as Schemas | undefined;
  const taken = takenBy(schemas?.body);
  if (taken.length > 0) {
    route.preValidation = [
      async (request: FastifyRequest) => {
        if (isFromConsole(request)) fillIn(request, taken);
      },
      route.preValidation ?? [],
    ].flat();
  }
  const success = successOf(schemas);
  const carried = carriedBy(success);
  if (carried.length === 0) return;
  const writeRest = serializer(without(success as TSchema, carried));
  const moved = createAttached<FastifyRequest, boolean>();
  const moveToCookies: preSerializationAsyncHookHandler<unknown> = async (request, reply, payload) => {
    if (!isFromConsole(request) || reply.statusCode !== 200) return payload;
    moved.set(request, true);
    void reply.serializer(writeRest);
    return takeOut(request, payload as Record<string, unknown>, carried);
  };
  route.preSerialization = [route.preSerialization ?? [], moveToCookies].flat();
  route.onSend = [
    async (request: FastifyRequest, reply: { statusCode: number }, payload: unknown) => {
      // A handler that sends text would show its tokens to the page.
      if (isFromConsole(request) && reply.statusCode === 200 && !moved.get(request)) {
        throw new Error(`${route.url} answers with tokens, so it must send an object`);
      }
      return payload;
    },
    route.onSend ?? [],
  ].flat();
}

function fillIn(request: FastifyRequest, taken: readonly Member[]): void {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  for (const member of taken) {
    const value = tokenOf(request, kinds[member]);
    if (value !== undefined) Object.assign(body, { [member]: value });
  }
}

function takeOut(
  request: FastifyRequest,
  payload: Record<string, unknown>,
  carried: readonly Member[],
): object {
  const rest = { ...payload };
  for (const member of carried) {
    const value = rest[member];
    delete rest[member];
    if (typeof value === 'string') setCookie(request, kinds[member], value);
  }
  // A code of the second factor either completes a sign-in or steps a session up.
  const ended =
    typeof payload.token === 'string'
      ? 'twoFactor'
      : typeof payload.twoFactorToken === 'string'
        ? 'session'
        : null;
  if (ended !== null && cookieOf(request, ended) !== undefined) setCookie(request, ended, null);
  return rest;
}

function without(schema: TSchema, carried: readonly Member[]): TSchema {
  const { properties = {}, required = [] } = schema as ObjectSchema;
  const isKept = (name: string) => !carried.some((member) => member === name);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    required: required.filter(isKept),
  } as TSchema;
}
