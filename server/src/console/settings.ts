// What the console must know before anyone has signed in (behaviour B15).
import type { onRequestAsyncHookHandler } from 'fastify';
import { type Static, Type } from 'typebox';
import { cookieOf } from '../base/browser-session/index.ts';
import { Closed, closed, NullableString } from '../base/http/schemas.ts';
import type { HttpServer } from '../base/http/server.ts';

const ConsoleSettings = Closed(
  'ConsoleSettings',
  {
    base_url: Type.String({ description: 'The URL at which clients reach the service' }),
    version: Type.String(),
    cookie_sign_in: Type.Object(
      {
        allowed: Type.Boolean({ description: 'Whether a browser can sign in to the console' }),
        reason: NullableString('Why it cannot, for people. null: it can'),
      },
      closed,
    ),
    providers: Type.Array(
      Type.Object(
        { provider: Type.Enum(['google', 'github', 'microsoft', 'oidc']), name: Type.String() },
        closed,
      ),
      { description: 'The providers that are configured for sign-in' },
    ),
    mail: Type.Object(
      {
        kind: Type.Enum(['smtp', 'files'], {
          description: '`files`: there is no SMTP server, so each mail becomes a file',
        }),
        folder: NullableString(
          'The folder of these files, if the base URL is on the machine of the service. Otherwise null',
        ),
      },
      closed,
    ),
    endpoint_retries: Type.Object(
      {
        retry_schedule: Type.Array(Type.Number()),
        timeout_seconds: Type.Number(),
        disable_after_hours: Type.Integer(),
        most_retry_seconds: Type.Integer(),
        most_timeout_seconds: Type.Integer(),
        most_disable_after_hours: Type.Integer(),
      },
      {
        ...closed,
        description:
          'What null in these members of a webhook endpoint means, and the most that an endpoint can ask for',
      },
    ),
    webhook_retention_seconds: Type.Integer({
      description: 'How long events, deliveries and attempts are kept',
    }),
    set_up: Type.Boolean({ description: 'false: no operator has signed in yet' }),
    session_cookie: Type.Boolean({
      description:
        'Whether the request of the console has the cookie of a session, which can have ended. false outside the console',
    }),
  },
  {
    base_url: 'https://concord.example.com',
    version: '0.1.0',
    cookie_sign_in: { allowed: true, reason: null },
    providers: [{ provider: 'google', name: 'Google' }],
    mail: { kind: 'smtp', folder: null },
    endpoint_retries: {
      retry_schedule: [5, 60, 300],
      timeout_seconds: 15,
      disable_after_hours: 120,
      most_retry_seconds: 604_800,
      most_timeout_seconds: 30,
      most_disable_after_hours: 720,
    },
    webhook_retention_seconds: 7_776_000,
    set_up: true,
    session_cookie: false,
  },
);
type ConsoleSettings = Static<typeof ConsoleSettings>;

export type SettingsOptions = {
  access: onRequestAsyncHookHandler;
  /** Those that do not change while the service runs. */
  settings: Omit<ConsoleSettings, 'set_up' | 'session_cookie'>;
  isSetUp: () => Promise<boolean>;
};

export function registerSettingsRoute(
  server: HttpServer,
  { access, settings, isSetUp }: SettingsOptions,
): void {
  server.get(
    '/console/settings',
    {
      onRequest: access,
      schema: {
        tags: ['Platform'],
        operationId: 'getConsoleSettings',
        summary: 'Get what the console needs before a sign-in',
        description: 'Needs no token. It has no secrets.',
        response: { 200: ConsoleSettings },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      return {
        ...settings,
        set_up: await isSetUp(),
        session_cookie: cookieOf(request, 'session') !== undefined,
      };
    },
  );
}
