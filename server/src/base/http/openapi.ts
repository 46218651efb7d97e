// The OpenAPI 3.1 description, and the page that shows it.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { onRequestAsyncHookHandler } from 'fastify';
import { toOpenApi30 } from './openapi-3.0.ts';
import { completeDocument } from './openapi-document.ts';
import { docsPrefix, type HttpServer, interfaceVersion } from './server.ts';

type Options = {
  access: onRequestAsyncHookHandler;
  baseUrl: string;
  /** Path items, by name. */
  webhooks: object;
};

/** Call it before the routes that it describes. */
export async function registerOpenApi(
  server: HttpServer,
  { access, baseUrl, webhooks }: Options,
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Concord',
        version: interfaceVersion,
        description:
          'Partners, agreements, accounts and webhooks. Every error has the form of the schema `Error`; docs/errors.md lists the codes.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl, description: 'This installation (CONCORD_BASE_URL)' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A session token from POST /api/auth/sign-in/email, or a personal access token. Cookies do not count; docs/accounts.md tells how the console signs in.',
          },
        },
      },
    },
    transformObject: (document) =>
      'openapiObject' in document ? completeDocument(document.openapiObject, webhooks) : {},
  });
  server.get('/openapi.json', { onRequest: access, schema: { hide: true } }, async () => server.swagger());
  let older: object | undefined;
  server.get('/openapi-3.0.json', { onRequest: access, schema: { hide: true } }, async () => {
    older ??= toOpenApi30(server.swagger());
    return older;
  });

  await server.register(async (page) => {
    page.addHook('onRequest', access);
    page.addHook('onRequest', async ({ raw }) => {
      delete raw.headers.range; // whole files only
    });
    await page.register(swaggerUi, {
      routePrefix: docsPrefix,
      // The page may only ask the host that it came from.
      transformSpecification: (document) => ({ ...document, servers: [{ url: '/' }] }),
      uiConfig: { layout: 'BaseLayout', deepLinking: true, persistAuthorization: false, validatorUrl: null },
      theme: { title: 'Concord' },
    });
  });
}
