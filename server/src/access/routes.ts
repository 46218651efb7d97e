// Builds routes. What follows from the kind of a route stands here once: security, headers, validation, the
// conditions on entity tags, the idempotency key, and its place in the description.
import type {
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onSendAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { sendJson, sendRepresentation } from '../base/http/entity-tag.ts';
import { OauthError } from '../base/http/error-responses.ts';
import {
  type FilterNames,
  filtersIn,
  isFilter,
  type ListDefinition,
  type ListSource,
  listQuery,
  requireKnownFilters,
  sendList,
} from '../base/http/lists.ts';
import type { ResponseHeader } from '../base/http/openapi-document.ts';
import { isForm } from '../base/http/raw-body.ts';
import {
  actionHeaders,
  changeHeaders,
  idempotentHeaders,
  readHeaders,
} from '../base/http/request-headers.ts';
import { serializer } from '../base/http/serialization.ts';
import type { HttpServer } from '../base/http/server.ts';
import { type Answer, type IdempotentRequest, readIdempotencyKey } from '../base/idempotency/index.ts';
import { paramsOf } from './path-parameters.ts';
import type { AccessRule } from './rules.ts';

type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a handler gets. `granted` is what the access rule granted to this request. */
type Context<P extends string, G, Q extends TSchema, B extends TSchema> = {
  readonly granted: G;
  readonly params: Readonly<Record<ParamNames<P>, string>>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  readonly ifMatch: string | undefined;
  /** Null: the request has no Idempotency-Key, or the route takes none. */
  readonly key: IdempotentRequest;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

type Route<P extends string, G, Q extends TSchema, B extends TSchema, Result> = {
  operationId: string;
  summary: string;
  description: string;
  /** Without a rule a route cannot exist. */
  access: AccessRule<G>;
  /** In the path. Default: each is an id. */
  params?: TObject;
  query?: Q;
  body?: B;
  /** In bytes. Default: 64 KiB. */
  bodyLimit?: number;
  /** Statuses that the contract lists, in addition to `default`. */
  errors?: readonly number[];
  /** Headers of the answer, in addition to those that follow from the kind of the route. */
  headers?: readonly ResponseHeader[];
  onSend?: onSendAsyncHookHandler;
  /** Runs after the access rule, and before the body is read. */
  beforeBody?: (context: { granted: G; request: FastifyRequest }) => void | Promise<void>;
  /** Answers of other statuses, for the description. */
  otherAnswers?: Readonly<Record<number, TSchema>>;
  /** No cache may keep an answer that the handler gives. */
  noStore?: boolean;
  run(context: Context<P, G, Q, B>): Result | Promise<Result>;
};
type IdempotentRoute<P extends string, G, Q extends TSchema, B extends TSchema> = Route<
  P,
  G,
  Q,
  B,
  Answer
> & {
  answer: TSchema;
  status?: number;
  /** False: the answer is not the representation of a resource, so it has no ETag. */
  tagged?: boolean;
  /** Whether the answer names a person. The deletion of the person blanks it while it is kept. */
  namesPerson: boolean;
  /** Headers of the request, in addition to those of the kind. */
  requestHeaders?: TObject;
  /** The content that requests with one key share, where the parsed body loses information. */
  content?: (request: FastifyRequest) => string | Uint8Array | undefined;
};

type ListRoute<P extends string, G, Item, S extends string, D extends ListDefinition<S, string>> = Omit<
  Route<P, G, TSchema, TSchema, never>,
  'run' | 'body'
> & {
  definition: D;
  item: TSchema;
  /** An item as JSON. Default: by the schema `item`. */
  toJson?: (item: Item) => string;
  newestFirst?: boolean;
  ndjson?: boolean;
  run(
    context: Omit<Context<P, G, TSchema, TSchema>, 'body' | 'key' | 'ifMatch'> & {
      filter: Readonly<Partial<Record<FilterNames<D>, string>>>;
    },
  ): ListSource<NoInfer<S> | 'id', Item> | Promise<ListSource<NoInfer<S> | 'id', Item>>;
};

/** What follows from the kind of a route. */
type Parts = {
  schema?: object;
  status: number;
  answer: TSchema;
  /** How the Idempotency-Key is read, where the route takes one. */
  keyOf?: (request: FastifyRequest) => IdempotentRequest;
  send: (request: FastifyRequest, reply: FastifyReply, result: never) => unknown;
};

/** What `run` returns. Nothing, if the answer has no content. */
type Result<A extends TSchema> = [Static<A>] extends [null] ? unknown : Static<A>;

/** JSON text that was written before. */
type JsonText = { readonly json: string };

export const createRoutes = (server: HttpServer, tag: string) => new Routes(server, tag);

class Routes {
  readonly #server: HttpServer;
  readonly #tag: string;

  constructor(server: HttpServer, tag: string) {
    this.#server = server;
    this.#tag = tag;
  }

  /** GET of a list, in pages. `run` returns its source. */
  list<
    P extends string,
    G,
    Item extends { id: string },
    S extends string,
    D extends ListDefinition<S, string>,
  >(
    path: P,
    {
      definition,
      item,
      toJson = serializer(item) as (item: Item) => string,
      newestFirst = false,
      ndjson = false,
      run,
      ...route
    }: ListRoute<P, G, Item, S, D>,
  ): void {
    this.#add<P, G, TSchema, TSchema, unknown>(
      'GET',
      path,
      {
        query: listQuery(definition),
        ...route,
        headers: [
          'Link',
          ...(definition.endless ? [] : (['Total-Count', 'Total-Count-Estimated'] as const)),
          ...(route.headers ?? []),
        ],
        run: (context) => run({ ...context, filter: filtersIn(definition, context.query as object) }),
      },
      {
        status: 200,
        answer: Type.Array(item),
        send: (request, reply, source: ListSource<S | 'id', Item & Record<S, unknown>>) =>
          sendList(request, reply, { definition, source, toJson, newestFirst, ndjson }),
      },
    );
  }

  /** GET of one resource, with its ETag. */
  read<P extends string, G, A extends TSchema>(
    path: P,
    { answer, ...route }: Route<P, G, TObject, TSchema, Static<A> | JsonText> & { answer: A },
  ): void {
    this.#add('GET', path, withTag(route), representing(answer, { headers: readHeaders }));
  }

  /** PATCH of one resource, as a merge patch, or PUT of all of it. */
  change<P extends string, G, Q extends TSchema, B extends TSchema, A extends TSchema>(
    path: P,
    {
      answer,
      method = 'PATCH',
      ...route
    }: Route<P, G, Q, B, Static<A> | JsonText> & { answer: A; method?: 'PATCH' | 'PUT' },
  ): void {
    const schema = {
      headers: changeHeaders,
      ...(method === 'PATCH' && { consumes: ['application/json', 'application/merge-patch+json'] }),
    };
    this.#add(method, path, withTag(route), representing(answer, schema));
  }

  remove<P extends string, G, Q extends TSchema>(path: P, route: Route<P, G, Q, TSchema, void>): void {
    this.#add('DELETE', path, route, {
      schema: { headers: changeHeaders },
      status: 204,
      answer: Type.Null({ description: 'Deleted' }),
      send: (_request, reply) => reply.code(204).send(null),
    });
  }

  /** POST that creates a resource, at most once for an Idempotency-Key. `status`: 201 unless given. */
  create<P extends string, G, Q extends TSchema, B extends TSchema>(
    path: P,
    route: IdempotentRoute<P, G, Q, B>,
  ): void {
    this.#addIdempotent(path, { status: 201, ...route }, idempotentHeaders);
  }

  /** POST that acts on a resource, at most once for an Idempotency-Key. `status`: 200 unless given. */
  act<P extends string, G, Q extends TSchema, B extends TSchema>(
    path: P,
    route: IdempotentRoute<P, G, Q, B>,
  ): void {
    this.#addIdempotent(path, { status: 200, ...route }, actionHeaders);
  }

  /**
   * Any other route. `status`: 200 unless given, or 204 when `answer` is null. `run` returns the reply when it
   * has sent the answer itself.
   */
  plain<P extends string, G, Q extends TSchema, B extends TSchema, A extends TSchema>(
    method: HTTPMethods,
    path: P,
    {
      answer,
      status = 'type' in answer && answer.type === 'null' ? 204 : 200,
      schema = {},
      ...route
    }: Route<P, G, Q, B, Result<A> | FastifyReply> & {
      answer: A;
      status?: number;
      /** More members of Fastify's schema. */
      schema?: object;
    },
  ): void {
    this.#add(method, path, route, {
      schema,
      status,
      answer,
      send: (_request, reply, result) => {
        // `run` sends the answer itself, and the client has left.
        if (result === undefined && status !== 204) return reply;
        if (status !== 200) void reply.code(status);
        return reply.send(status === 204 ? null : result);
      },
    });
  }

  #addIdempotent<P extends string, G, Q extends TSchema, B extends TSchema>(
    path: P,
    {
      answer,
      status,
      tagged = true,
      namesPerson,
      requestHeaders,
      content,
      ...route
    }: IdempotentRoute<P, G, Q, B> & { status: number },
    ofKind: TObject,
  ): void {
    this.#add('POST', path, tagged ? withTag(route) : route, {
      status,
      answer,
      schema: { headers: Type.Object({ ...requestHeaders?.properties, ...ofKind.properties }) },
      keyOf: (request) =>
        readIdempotencyKey(request, {
          namesPerson,
          content: content?.(request),
          query: route.query && (request.query as object),
        }),
      send: tagged ? sendAnswer : sendUntagged,
    });
  }

  #add<P extends string, G, Q extends TSchema, B extends TSchema, Result>(
    method: HTTPMethods,
    path: P,
    route: Route<P, G, Q, B, Result>,
    { schema, status, answer, keyOf = () => null, send }: Parts,
  ): void {
    const { access, run, errors, headers, body, query, bodyLimit, onSend, noStore, beforeBody } = route;
    const { params = paramsOf(path) } = route;
    const filters = Object.keys((query as { properties?: object } | undefined)?.properties ?? {}).filter(
      isFilter,
    );
    const isList = method === 'GET' && ('items' in answer || filters.length > 0);
    this.#server.route({
      method,
      url: path,
      onRequest: beforeBody
        ? [access.hook, async (request) => beforeBody({ granted: access.granted(request), request })]
        : access.hook,
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(onSend && { onSend }),
      ...(noStore && { preValidation: forbidStoring }),
      schema: {
        tags: [this.#tag],
        ...(access.security && { security: access.security }),
        ...(params && { params }),
        operationId: route.operationId,
        summary: route.summary,
        description: access.inSession ? `${route.description} ${sessionOnly}` : route.description,
        ...(errors && { 'x-errors': errors }),
        ...(headers && headers.length > 0 && { 'x-response-headers': headers }),
        ...(query && { querystring: query }),
        ...(body && { body }),
        ...schema,
        response: { [status]: answer, ...(isForm(body) && { 400: OauthError }), ...route.otherAnswers },
      },
      async handler(request, reply) {
        if (isList) requireKnownFilters(request.query as object, filters);
        const result = await run({
          granted: access.granted(request),
          // The schemas of the route have checked these.
          params: request.params as Context<P, G, Q, B>['params'],
          query: request.query as Static<Q>,
          body: request.body as Static<B>,
          ifMatch: request.headers['if-match'],
          key: keyOf(request),
          request,
          reply,
        });
        return reply.sent ? reply : send(request, reply, result as never);
      },
    });
  }
}

const sessionOnly = 'Requires a session, not an access token.';

const withTag = <R extends { headers?: readonly ResponseHeader[] }>(route: R): R => ({
  ...route,
  headers: ['ETag', ...(route.headers ?? [])],
});

function sendAnswer(request: FastifyRequest, reply: FastifyReply, { status, headers, json }: Answer) {
  return sendRepresentation(request, reply.code(status).headers(headers), json);
}

function sendUntagged(_request: FastifyRequest, reply: FastifyReply, { status, headers, json }: Answer) {
  void reply.code(status).headers(headers);
  return status === 204 ? reply.send(null) : sendJson(reply, json);
}

const forbidStoring: preValidationAsyncHookHandler = async (_request, reply) => {
  void reply.header('cache-control', 'no-store');
};

function representing(answer: TSchema, schema: object): Parts {
  const write = serializer(answer);
  return {
    schema,
    status: 200,
    answer,
    send: (request, reply, result: object) => {
      const { json } = result as Partial<JsonText>;
      const isWritten = typeof json === 'string' && Object.keys(result).length === 1;
      return sendRepresentation(request, reply, isWritten ? json : write(result as never));
    },
  };
}
