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
        description:
          'Partners, agreements and accounts. Errors have one form: see the schema Error and docs/errors.md.',
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
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `def-${index}`),
    },
  });
  server.get('/openapi.json', { onRequest: access, schema: { hide: true } }, async () => server.swagger());

  await server.register(async (page) => {
    page.addHook('onRequest', access);
    await page.register(swaggerUi, {
      routePrefix: docsPrefix,
      staticCSP: contentSecurityPolicy,
      uiConfig: { deepLinking: true, persistAuthorization: false, validatorUrl: null },
      theme: { title: 'Concord' },
    });
  });
}
