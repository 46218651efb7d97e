// The OpenAPI 3.1 description, made from the schemas that validate and serialise, and the page that shows it.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { onRequestAsyncHookHandler } from 'fastify';
import { ErrorBody } from './error-responses.ts';
import { docsPrefix, type HttpServer, interfaceVersion } from './server.ts';

/** Nothing may come from outside, whatever the page asks for. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** To be called before the first route. */
export async function registerOpenApi(server: HttpServer, access: onRequestAsyncHookHandler): Promise<void> {
  server.addSchema(ErrorBody);
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Concord',
        version: interfaceVersion,
        description: 'Partners, agreements and accounts. Errors have one form: see the schema Error and docs/errors.md.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token from POST /api/auth/sign-in/email',
          },
        },
      },
    },
    transform: ({ schema, url }) => ({
      schema: schema?.hide ? schema : { ...schema, response: withError(schema?.response) },
      url,
    }),
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `def-${index}`),
    },
  });
  server.get('/openapi.json', { onRequest: access, schema: { hide: true } }, async () => server.swagger());

  await server.register(async (page) => {
    page.addHook('onRequest', access);
    page.addHook('onRequest', async ({ raw }) => {
      delete raw.headers.range; // whole files only
    });
    await page.register(swaggerUi, {
      routePrefix: docsPrefix,
      staticCSP: contentSecurityPolicy,
      uiConfig: { layout: 'BaseLayout', deepLinking: true, persistAuthorization: false, validatorUrl: null },
      theme: { title: 'Concord' },
    });
  });
}

/** Every operation may answer with an error; what each says is the same form, so it is described once. */
function withError(response: unknown): Record<string, object> {
  const successes = Object.entries((response ?? {}) as Record<string, object>).map(([status, schema]) => [
    status,
    { description: status === '201' ? 'Created' : 'OK', ...schema },
  ]);
  const failure = {
    description: 'An error',
    content: { 'application/json': { schema: { $ref: 'Error#' } } },
  };
  return { ...Object.fromEntries(successes), default: failure };
}
