// The HTTP of SCIM 2.0 (RFC 7644). The service describes itself at /Schemas, so the OpenAPI document leaves it out.
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { type AccessRule, createRoutes } from '../../../access/index.ts';
import { isKnown } from '../../../base/http/entity-tag.ts';
import { ScimError, scimMediaType, scimPrefix } from '../../../base/http/scim.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { parseId } from '../../../base/ids.ts';
import { cut } from '../../../base/text.ts';
import type { Options } from '../../options.ts';
import { createProvisioningAccess, type ProvisioningCaller } from './access.ts';
import type { Kind } from './protocol/attributes.ts';
import { type Document, readDocument, requireObject } from './protocol/document.ts';
import { applyPatch } from './protocol/patch.ts';
import {
  kinds,
  readWanted,
  serviceProviderConfig,
  toList,
  toResourceType,
  toSchema,
} from './protocol/representation.ts';
import { createResources } from './resources/resources.ts';
import { readQuery } from './search/query.ts';
import { insertRequest } from './store.ts';

type Context = { granted: ProvisioningCaller; id: string; request: FastifyRequest; reply: FastifyReply };
type Run = (context: Context) => Promise<FastifyReply> | FastifyReply;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type On = (method: (typeof methods)[number], path: string, run: Run) => void;

const params = Type.Object({ resource_id: Type.String() });
const bodyLimit = 1024 * 1024;

/** `body`: a stream has JSON. */
const send = (reply: FastifyReply, body: Document | Readable, status = 200) =>
  reply.code(status).type(scimMediaType).serializer(JSON.stringify).send(body);

const sendResource = (
  { request, reply }: Context,
  { resource, version }: { resource: Document; version: string },
  status = 200,
) => (isKnown(request, reply, version) ? reply.code(304).send() : send(reply, resource, status));

const queryOf = ({ query }: FastifyRequest) => query as Record<string, unknown>;

export function registerScimRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Provisioning');
  const access = createProvisioningAccess(options);
  const onSend = keepRequest(options, access);
  const on: On = (method, path, run) => {
    const isOfOne = path.endsWith('/:resource_id');
    routes.plain(method, `${scimPrefix}${path}`, {
      operationId: `scim ${method} ${path}`,
      summary: '',
      description: '',
      access,
      ...(isOfOne && { params }),
      schema: { hide: true },
      bodyLimit,
      onSend,
      answer: Type.Unknown(),
      async run({ granted, request, reply }) {
        const { resource_id: id = '' } = (request.params ?? {}) as { resource_id?: string };
        return run({ granted, id, request, reply });
      },
    });
  };
  const resources = createResources(options);
  for (const kind of kinds) registerKind(on, kind, resources);
  registerDiscovery(on, options);
  on('POST', '/.search', () => {
    throw new ScimError(501, undefined, 'Search below /Users or /Groups.');
  });
  for (const method of methods)
    on(method, '/Me', () => {
      throw new ScimError(501, undefined, 'A provisioning token belongs to no user.');
    });
}

function registerKind(on: On, kind: Kind, resources: ReturnType<typeof createResources>) {
  const { endpoint } = kind;
  const one = `${endpoint}/:resource_id`;
  const wantedOf = (request: FastifyRequest) => {
    const { attributes, excludedAttributes } = queryOf(request);
    return readWanted(kind, attributes, excludedAttributes);
  };
  const conditionsOf = (request: FastifyRequest) => ({
    ifMatch: request.headers['if-match'],
    wanted: wantedOf(request),
  });

  on('GET', endpoint, async ({ granted, request, reply }) =>
    send(reply, await resources.list(granted, kind, readQuery(kind, queryOf(request)))),
  );
  on('POST', `${endpoint}/.search`, async ({ granted, request, reply }) =>
    send(reply, await resources.list(granted, kind, readQuery(kind, requireObject(request.body)))),
  );
  on('POST', endpoint, async (context) => {
    const { granted, request, reply } = context;
    const made = await resources.create(granted, kind, request.body, wantedOf(request));
    void reply.header('location', locationIn(made.resource, request));
    return sendResource(context, made, 201);
  });
  on('GET', one, async (context) =>
    sendResource(context, await resources.read(context.granted, kind, context.id, wantedOf(context.request))),
  );
  const change = async (context: Context, next: (document: Document) => Document) => {
    const { granted, id, request } = context;
    return sendResource(context, await resources.change(granted, kind, id, conditionsOf(request), next));
  };
  on('PUT', one, (context) => change(context, () => readDocument(kind, context.request.body)));
  on('PATCH', one, (context) =>
    change(context, (document) => applyPatch(kind, document, context.request.body)),
  );
  on('DELETE', one, async ({ granted, id, request, reply }) => {
    await resources.remove(granted, kind, id, request.headers['if-match']);
    return reply.code(204).send();
  });
}

/** Also when the request does not want `meta`. */
const locationIn = ({ id, meta }: Document, { url }: FastifyRequest) =>
  (meta as { location?: string } | undefined)?.location ?? `${url.split('?', 1)[0]}/${String(id)}`;

function registerDiscovery(on: On, { baseUrl }: Options) {
  const describe = (path: string, of: (baseUrl: string, kind: Kind) => Document) => {
    const all = kinds.map((kind) => of(baseUrl, kind));
    on('GET', path, ({ request, reply }) => {
      // RFC 7644, section 4: what a service can do is not filtered.
      if (queryOf(request).filter !== undefined)
        throw new ScimError(403, undefined, 'This list takes no filter.');
      return send(reply, toList(all, all.length, 1));
    });
    on('GET', `${path}/:resource_id`, ({ id, reply }) => {
      const found = all.find((each) => each.id === id);
      if (found === undefined) throw new ScimError(404, undefined, 'The resource does not exist.');
      return send(reply, found);
    });
  };
  on('GET', '/ServiceProviderConfig', ({ reply }) => send(reply, serviceProviderConfig(baseUrl)));
  describe('/ResourceTypes', toResourceType);
  describe('/Schemas', toSchema);
}

/** Without the query, which can name people. A request whose log fails is answered all the same. */
function keepRequest({ db }: Options, access: AccessRule<ProvisioningCaller>): onSendAsyncHookHandler {
  return async (request, reply, payload) => {
    const { url = '' } = request.routeOptions;
    const { resource_id: id } = (request.params ?? {}) as { resource_id?: string };
    const kind = kinds.find(({ endpoint }) => url.startsWith(`${scimPrefix}${endpoint}`));
    const known = id !== undefined && kind && parseId(kind.stored, id) !== null ? id : '-';
    try {
      const { connectionId } = access.granted(request);
      await insertRequest(db, connectionId, {
        method: request.method,
        path: url.slice(scimPrefix.length).replace(':resource_id', known),
        status: reply.statusCode,
        detail: reply.statusCode < 400 ? null : detailIn(payload),
      });
    } catch (err) {
      request.log.debug({ err }, 'a request of provisioning was not logged');
    }
    return payload;
  };
}

const detailIn = (payload: unknown): string | null => {
  const { scimType, detail } = JSON.parse(String(payload)) as { scimType?: string; detail?: string };
  return [scimType, detail && cut(detail, 500)].filter((part) => part !== undefined).join(': ') || null;
};
