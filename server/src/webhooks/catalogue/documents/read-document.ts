// Reads the event types of an OpenAPI 3.1 or AsyncAPI 3 document (behaviour W75). It runs in a thread, and fetches
// nothing.
import { isScalar, Lexer, parseDocument, visit } from 'yaml';
import { type Fault, invalidRequest } from '../../../base/errors.ts';
import { requireBinary64 } from '../../../base/http/json-body.ts';
import { isObject, isStorable } from '../../../base/http/schemas.ts';
import { cut } from '../../../base/text.ts';
import { createBundler, DocumentError, type Resolve } from './bundle.ts';
import { isEnvelope, type Schema } from './envelope.ts';

/** `example` undefined: the document has none. */
type FoundType = { name: string; description: string; schema: object; example?: unknown };
/** What the document has under a name, or why it cannot be used. */
export type Found = { name: string; type: FoundType | null; reason: string | null };

const maxTypes = 500;
/** A body of PUT is not larger. */
const maxTypeLength = 65_536;
/** Of all types: references can make a document of 1 MiB into 32 MiB, which the event loop would hash and store. */
const maxTotalLength = 4_194_304;
/** More would let a small text become a large value. */
const maxAliasCount = 100;
/**
 * Of YAML, before it is parsed: more values, or brackets inside each other, would take seconds and the memory of a
 * thread.
 */
const maxTokens = 500_000;
const maxBrackets = 1_000;

const refusal = (problem: string, code?: Fault['code']) => invalidRequest('/document', problem, code);

/** @throws ServiceError invalid_request */
export function readDocument(text: string): Found[] {
  const document = parseText(text);
  const isOpenApi = isObject(document) && /^3\.1\./.test(textOf(document.openapi));
  const isAsyncApi = isObject(document) && /^3\./.test(textOf(document.asyncapi));
  if (!isObject(document) || !(isOpenApi || isAsyncApi))
    throw refusal('must be an OpenAPI 3.1 document with webhooks, or an AsyncAPI 3 document');
  const bundler = createBundler(document);
  const parts = isOpenApi ? entriesOf(document.webhooks) : messagesOf(document, bundler);
  if (parts.length === 0) throw refusal('must have webhooks, or messages that are sent');
  if (parts.length > maxTypes)
    throw refusal(`must have at most ${maxTypes} types, but has ${parts.length}`, 'too_long');
  const read = isOpenApi ? readWebhook : readMessage;
  let totalLength = 0;
  return parts.map(({ name, part }) => {
    try {
      const type = read(name, part, bundler);
      totalLength += requireStorable(type);
      if (totalLength > maxTotalLength)
        throw refusal(
          `must have at most ${maxTotalLength} characters of schemas and examples, with what they refer to`,
          'too_long',
        );
      return { name, type, reason: null };
    } catch (error) {
      // References that go from schema to schema can need more than the stack.
      if (error instanceof RangeError) return { name, type: null, reason: 'is too deep' };
      if (!(error instanceof DocumentError)) throw error;
      return { name, type: null, reason: error.message };
    }
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseYaml(text: string): unknown {
  let [tokens, brackets] = [0, 0];
  for (const token of new Lexer().lex(text)) {
    if (/^[[{]$/.test(token)) brackets++;
    else if (/^[\]}]$/.test(token)) brackets--;
    if (++tokens > maxTokens) throw new Error(`it has more than ${maxTokens} tokens`);
    if (brackets > maxBrackets) throw new Error(`it has more than ${maxBrackets} brackets inside each other`);
  }
  // Its own check of keys compares each with all before it.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
  for (const error of document.errors) throw error;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set(items.map(({ key }) => (isScalar(key) ? key.value : key)));
      if (keys.size < items.length) throw new Error('Map keys must be unique');
    },
  });
  return document.toJS({ maxAliasCount });
}

function parseText(text: string): unknown {
  try {
    // Also trims a byte order mark, which programs on Windows write.
    const content = text.trimStart();
    return content.startsWith('{') ? JSON.parse(content) : parseYaml(text);
  } catch (cause) {
    throw refusal(`must be JSON or YAML: ${String((cause as Error).message).slice(0, 200)}`);
  }
}

type Part = { name: string; part: unknown };
const entriesOf = (value: unknown): Part[] =>
  isObject(value) ? Object.entries(value).map(([name, part]) => ({ name, part })) : [];

/** From the operations that send. Without operations, from all channels. */
function messagesOf({ operations, channels }: Schema, { resolve, resolveObject }: Resolve): Part[] {
  const names = new Map<unknown, string>();
  try {
    const uses: Schema[] = isObject(operations)
      ? entriesOf(operations)
          .map(({ part }) => resolveObject(part))
          .filter((operation) => operation !== undefined)
          .filter(({ action }) => action === 'send')
      : entriesOf(channels).map(({ part }) => ({ channel: part }));
    for (const { channel, messages } of uses) {
      const all = entriesOf(resolveObject(channel)?.messages);
      const used = Array.isArray(messages)
        ? messages.map((part) => ({ name: textOf(Object(part).$ref).split('/').at(-1) ?? '', part }))
        : all;
      for (const { name, part } of used) {
        const message = resolve(part);
        if (!names.has(message)) names.set(message, (isObject(message) && textOf(message.name)) || name);
      }
    }
  } catch (error) {
    throw error instanceof DocumentError ? refusal(error.message) : error;
  }
  return [...names].map(([part, name]) => ({ name, part }));
}

function readWebhook(name: string, part: unknown, bundler: Resolve): FoundType {
  const { resolveObject } = bundler;
  const post = resolveObject(resolveObject(part)?.post);
  const body = resolveObject(post?.requestBody);
  const content = isObject(body?.content) ? resolveObject(body.content['application/json']) : undefined;
  if (!post || !content) throw new DocumentError('must have a POST with a body of application/json');
  const [first] = entriesOf(content.examples);
  const example = content.example ?? (isObject(first?.part) ? resolveObject(first.part)?.value : undefined);
  return toType(name, { words: post, schema: content.schema, example }, bundler);
}

function readMessage(name: string, part: unknown, bundler: Resolve): FoundType {
  if (!isObject(part)) throw new DocumentError('must be a message');
  const payload = bundler.resolveObject(part.payload);
  const hasFormat = payload !== undefined && 'schemaFormat' in payload;
  if (hasFormat && !/json/.test(textOf(payload.schemaFormat)))
    throw new DocumentError('must have a payload in JSON Schema');
  const [first] = Array.isArray(part.examples) ? part.examples : [];
  const schema = hasFormat ? payload.schema : part.payload;
  return toType(name, { words: part, schema, example: isObject(first) ? first.payload : undefined }, bundler);
}

/** As PUT takes it. Returns its length. */
function requireStorable({ description, schema, example }: FoundType): number {
  for (const value of [description, schema, example]) {
    if (!isStorable(value)) throw new DocumentError('must not contain NUL or a lone surrogate');
    try {
      requireBinary64(value, '');
    } catch {
      throw new DocumentError('must not have a number that binary64 cannot hold');
    }
  }
  const { length } = JSON.stringify([schema, example]);
  if (length > maxTypeLength)
    throw new DocumentError(`must have a schema and an example of at most ${maxTypeLength} characters`);
  return length;
}

type Read = { words: Schema; schema: unknown; example: unknown };

function toType(
  name: string,
  { words, schema, example }: Read,
  { resolveObject, bundle, measure }: Resolve,
): FoundType {
  const body = resolveObject(schema);
  if (!body) throw new DocumentError('must have a schema');
  const isWhole = isEnvelope(body);
  const data = isWhole ? body.properties.data : schema;
  const ownExamples = Array.isArray(body.examples) ? body.examples : [];
  const shown = example ?? ownExamples[0];
  measure(shown);
  const found = isWhole && isObject(shown) ? shown.data : shown;
  return {
    name,
    description: cut(textOf(words.description) || textOf(words.summary), 2_000),
    // An object at the top keeps its own members; a reference there becomes one of them.
    schema: bundle(data),
    ...(found !== undefined && { example: found }),
  };
}
