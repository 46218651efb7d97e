// What SCIM answers: resources with the attributes that the request wants, lists, and what the service can do.
import { toArray } from '../../../../base/http/lists.ts';
import { isObject } from '../../../../base/http/schemas.ts';
import { ScimError, scimPrefix } from '../../../../base/http/scim.ts';
import { type Attribute, groupKind, type Kind, readPlace, userKind } from './attributes.ts';
import type { Document, Item } from './document.ts';
import { maxOperations } from './patch.ts';

/** What `attributes` and `excludedAttributes` name. */
export type Wanted = ReturnType<typeof readWanted>;

const maxNames = 50;

/** Names that are unknown have no effect. Both lists together are an error (RFC 7644, section 3.9). */
export function readWanted(kind: Kind, attributes: unknown, excluded: unknown) {
  const read = (given: unknown) => {
    const names: unknown[] = typeof given === 'string' ? given.split(',') : [given].flat();
    if (names.length > maxNames)
      throw new ScimError(400, 'invalidValue', `A request can name at most ${maxNames} attributes.`);
    return names.flatMap((name) => (typeof name === 'string' && readPlace(kind, name.trim())) || []);
  };
  if (attributes !== undefined && excluded !== undefined)
    throw new ScimError(400, 'invalidValue', 'Send attributes or excludedAttributes, not both.');
  return {
    only: attributes === undefined ? null : read(attributes),
    without: excluded === undefined ? [] : read(excluded),
  };
}

/** `id` and `schemas` are always returned. */
export function project(resource: Document, wanted: Wanted): Document {
  const { only, without } = wanted;
  const names = Object.keys(resource).filter(
    (name) => ['schemas', 'id'].includes(name) || wants(wanted, name),
  );
  return Object.fromEntries(
    names.map((name) => {
      const value = resource[name];
      const parts = only?.filter(({ attribute }) => attribute.name === name) ?? [];
      const kept = parts.length > 0 && parts.every(({ sub }) => sub) ? parts : null;
      const gone = without.filter(({ attribute, sub }) => attribute.name === name && sub);
      if ((kept === null && gone.length === 0) || name === 'schemas') return [name, value];
      const has = (part: string) =>
        (kept?.some(({ sub }) => sub?.name === part) ?? true) && !gone.some(({ sub }) => sub?.name === part);
      const cut = (item: unknown) =>
        isObject(item) ? Object.fromEntries(Object.entries(item).filter(([part]) => has(part))) : item;
      return [name, Array.isArray(value) ? value.map(cut) : cut(value)];
    }),
  );
}

export const wants = ({ only, without }: Wanted, name: string) =>
  (only?.some(({ attribute }) => attribute.name === name) ?? true) &&
  !without.some(({ attribute, sub }) => attribute.name === name && !sub);

type Stored = { id: string; createdAt: Date; updatedAt: Date };

export const versionOf = ({ updatedAt }: Pick<Stored, 'updatedAt'>) => `"${updatedAt.getTime()}"`;

const locationOf = (baseUrl: string, { endpoint }: Kind, id: string) =>
  `${baseUrl}${scimPrefix}${endpoint}/${id}`;

export function toResource(baseUrl: string, kind: Kind, stored: Stored, document: Document): Document {
  const { id, createdAt, updatedAt } = stored;
  return {
    schemas: [kind.schema],
    id,
    ...document,
    meta: {
      resourceType: kind.name,
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: locationOf(baseUrl, kind, id),
      version: versionOf(stored),
    },
  };
}

export const toOther = (baseUrl: string, kind: Kind, id: string, display: string | null): Item => ({
  value: id,
  $ref: locationOf(baseUrl, kind, id),
  ...(display !== null && { display }),
  type: kind.name === 'User' ? 'User' : 'direct',
});

const listOf = (total: number, startIndex: number, itemsPerPage: number): Document => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage,
});

export const toList = (resources: readonly Document[], total: number, startIndex: number): Document => ({
  ...listOf(total, startIndex, resources.length),
  Resources: resources,
});

/** The JSON of a list, whose client can take the resources part by part. */
export async function* toLongList(
  parts: AsyncIterable<Document[]>,
  total: number,
  startIndex: number,
  itemsPerPage: number,
): AsyncGenerator<string> {
  yield `${JSON.stringify(listOf(total, startIndex, itemsPerPage)).slice(0, -1)},"Resources":`;
  yield* toArray(parts, JSON.stringify);
  yield '}';
}

export const maxResults = 200;

export const serviceProviderConfig = (baseUrl: string): Document => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${baseUrl}/docs/identity/provisioning.md`,
  patch: { supported: true },
  // authentik sends as many operations in one PATCH, and all of them if it reads 0.
  bulk: { supported: false, maxOperations, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Provisioning token',
      description: 'A token of the identity connection, in the Authorization header',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${baseUrl}${scimPrefix}/ServiceProviderConfig`,
  },
});

export const kinds: readonly Kind[] = [userKind, groupKind];

export const toResourceType = (baseUrl: string, { name, endpoint, description, schema }: Kind): Document => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  description,
  schema,
  meta: { resourceType: 'ResourceType', location: `${baseUrl}${scimPrefix}/ResourceTypes/${name}` },
});

export const toSchema = (baseUrl: string, { name, schema, description, attributes }: Kind): Document => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id: schema,
  name,
  description,
  attributes: attributes.map(describe),
  meta: { resourceType: 'Schema', location: `${baseUrl}${scimPrefix}/Schemas/${schema}` },
});

const describe = (attribute: Attribute): Document => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued ?? false,
  description: attribute.description,
  required: attribute.required ?? false,
  caseExact: attribute.caseExact ?? false,
  mutability: attribute.mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: attribute.uniqueness ?? 'none',
  ...(attribute.referenceTypes && { referenceTypes: attribute.referenceTypes }),
  ...(attribute.canonicalValues && { canonicalValues: attribute.canonicalValues }),
  ...(attribute.subAttributes && { subAttributes: attribute.subAttributes.map(describe) }),
});
