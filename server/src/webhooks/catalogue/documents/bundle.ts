// Makes a schema of a document stand alone: what it refers to comes along, in `$defs`. Pure.
import { readStep } from '../../../base/http/faults.ts';
import { isObject } from '../../../base/http/schemas.ts';
import type { Schema } from './envelope.ts';

const maxDepth = 100;
/** In all schemas of a document: aliases of YAML can make a small text large. */
const maxNodes = 200_000;

/** Why a part of a document cannot be used. Its text is public. */
export class DocumentError extends Error {}

export type Resolve = ReturnType<typeof createBundler>;

export function createBundler(document: unknown) {
  const { follow, resolve, resolveObject } = createReferences(document);
  let nodes = 0;

  function count(depth: number): void {
    if (depth > maxDepth) throw new DocumentError(`must have at most ${maxDepth} levels`);
    if (++nodes > maxNodes) throw new DocumentError(`must have at most ${maxNodes} parts`);
  }

  function bundle(schema: unknown): object {
    const defs: Record<string, unknown> = {};
    const names = new Map<string, string>();
    const ownDefs = isObject(schema) ? Object(schema.$defs) : {};
    const isTaken = (name: string) => Object.hasOwn(defs, name) || Object.hasOwn(ownDefs, name);

    function nameOf(reference: string): string {
      const known = names.get(reference);
      if (known !== undefined) return known;
      const base =
        readStep(reference.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_.-]/g, '_') || 'schema';
      let name = base;
      for (let number = 2; isTaken(name); number++) name = `${base}_${number}`;
      names.set(reference, name);
      // Reserved before it is walked: it can refer to itself.
      defs[name] = null;
      defs[name] = copy(follow(reference).at(-1), 0);
      return name;
    }

    /** A reference into the schema itself stays one. */
    function moved(reference: string): string {
      const at = follow(reference).indexOf(schema);
      return at < 0 ? `#/$defs/${nameOf(reference)}` : ['#', ...reference.split('/').slice(at + 1)].join('/');
    }

    function copy(value: unknown, depth: number): unknown {
      count(depth);
      if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1));
      if (!isObject(value)) return value;
      // A schema with an id of its own is complete.
      if (depth > 0 && typeof value.$id === 'string') {
        measure(value, depth);
        return value;
      }
      return Object.fromEntries(
        Object.entries(value).map(([member, part]) =>
          member === '$ref' && typeof part === 'string'
            ? [member, moved(part)]
            : [member, copy(part, depth + 1)],
        ),
      );
    }

    if (isObject(schema) && typeof schema.$id === 'string') return withoutOwnId(schema);
    const copied = copy(schema, 0);
    if (!isObject(copied)) throw new DocumentError('must be an object');
    return Object.keys(defs).length === 0
      ? copied
      : { ...copied, $defs: { ...Object(copied.$defs), ...defs } };
  }

  /** @throws DocumentError: the value is too deep, or too large */
  function measure(value: unknown, depth = 0): void {
    count(depth);
    if (isContainer(value)) for (const part of Object.values(value)) measure(part, depth + 1);
  }

  return { resolve, resolveObject, bundle, measure };
}

function createReferences(document: unknown) {
  /** What a reference leads through, from the document on. */
  function follow(reference: string): unknown[] {
    if (!reference.startsWith('#/'))
      throw new DocumentError(`must refer to the document itself, but refers to ${reference.slice(0, 100)}`);
    const passed = [document];
    for (const step of reference.slice(2).split('/')) {
      const [from, name] = [passed.at(-1), readStep(step)];
      if (!isContainer(from) || !Object.hasOwn(from, name))
        throw new DocumentError(`refers to ${reference.slice(0, 100)}, which the document does not have`);
      passed.push(from[name]);
    }
    return passed;
  }

  /** Follows a reference in place of a part of the document, such as a message. */
  function resolve(part: unknown): unknown {
    let found = part;
    for (let steps = 0; isObject(found) && typeof found.$ref === 'string'; steps++) {
      if (steps > 10) throw new DocumentError('must not refer to itself');
      found = follow(found.$ref).at(-1);
    }
    return found;
  }

  /** Undefined: no object is there. */
  function resolveObject(part: unknown): Schema | undefined {
    const found = resolve(part);
    return isObject(found) ? found : undefined;
  }

  return { follow, resolve, resolveObject };
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** An export gives a schema an id, so that its references stay its own. */
function withoutOwnId({ $id, ...schema }: Readonly<Record<string, unknown>>): object {
  return String($id).startsWith('urn:concord:event-type:') ? schema : { $id, ...schema };
}
