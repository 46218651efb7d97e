// The attributes of users and groups that Concord keeps (RFC 7643). Their names are in any case.

export type Attribute = {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly uniqueness?: 'server';
  readonly referenceTypes?: readonly string[];
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
};

export type Kind = {
  readonly name: 'User' | 'Group';
  /** The kind of its ids, and its table. */
  readonly stored: 'provisioned_user' | 'provisioned_group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
};

const text = (name: string, description: string): Attribute => ({ name, type: 'string', description });

const common: readonly Attribute[] = [
  { ...text('id', 'The id that Concord gave'), caseExact: true, mutability: 'readOnly' },
  { ...text('externalId', 'The id at the directory'), caseExact: true },
  {
    ...text('meta', 'About the resource'),
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      { name: 'created', type: 'dateTime', description: 'When it was created' },
      { name: 'lastModified', type: 'dateTime', description: 'When it was last changed' },
      text('resourceType', 'User or Group'),
      text('location', 'Its URL'),
      text('version', 'Its ETag'),
    ],
  },
];

/** What leads to another resource. */
const toOthers = (type: 'User' | 'Group', mutability: 'readOnly' | 'immutable'): readonly Attribute[] => [
  { ...text('value', `The id of the ${type.toLowerCase()}`), caseExact: true, mutability },
  { ...text('$ref', 'Its URL'), type: 'reference', referenceTypes: [type], mutability, caseExact: true },
  ...(type === 'Group' ? [{ ...text('display', 'Its name'), mutability } as const] : []),
  { ...text('type', 'Its kind'), mutability, canonicalValues: [type === 'User' ? 'User' : 'direct'] },
];

export const userKind: Kind = {
  name: 'User',
  stored: 'provisioned_user',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  description: 'A person of the company',
  attributes: [
    {
      ...text('userName', 'How the person signs in at the directory, usually an e-mail address'),
      required: true,
      uniqueness: 'server',
    },
    {
      ...text('name', 'The parts of the name'),
      type: 'complex',
      subAttributes: [
        text('formatted', 'All of the name'),
        text('familyName', 'The family name'),
        text('givenName', 'The given name'),
      ],
    },
    text('displayName', 'The name to show'),
    { name: 'active', type: 'boolean', description: 'False ends the access of the person' },
    {
      ...text('emails', 'The first address of a verified domain decides whose agreement it is'),
      type: 'complex',
      multiValued: true,
      subAttributes: [
        text('value', 'The address'),
        { ...text('type', 'For example work'), canonicalValues: ['work', 'home', 'other'] },
        { name: 'primary', type: 'boolean', description: 'The preferred address' },
      ],
    },
    {
      ...text('groups', 'The groups of the person. Change them at the groups'),
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: toOthers('Group', 'readOnly'),
    },
  ],
};

export const groupKind: Kind = {
  name: 'Group',
  stored: 'provisioned_group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  description: 'A group of the directory. Owners of the partner map it to a permission group',
  attributes: [
    { ...text('displayName', 'The name of the group'), required: true },
    {
      ...text('members', 'People of the group. Groups in groups are not supported'),
      type: 'complex',
      multiValued: true,
      subAttributes: toOthers('User', 'immutable'),
    },
  ],
};

/** Attributes of RFC 7643, sections 4.1 and 4.3, that are accepted without effect. */
const unkept = new Set(
  (
    'nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos ' +
    'addresses entitlements roles x509certificates middlename honorificprefix honorificsuffix display'
  ).split(' '),
);
export const isUnkept = (name: string) => unkept.has(name.toLowerCase());

const find = (among: readonly Attribute[] | undefined, name: string): Attribute | undefined => {
  const key = name.toLowerCase();
  return among?.find((each) => each.name.toLowerCase() === key);
};

export const findSub = (attribute: Attribute, name: string): Attribute | undefined =>
  find(attribute.subAttributes, name);

/** A path without a filter: the attribute, and a part of it. */
export type Place = { readonly attribute: Attribute; readonly sub?: Attribute };

/**
 * Reads `name.familyName`, or with its schema `urn:...:User:userName`. Null: an attribute of a standard or an
 * extension that is not kept. Undefined: unknown.
 */
export function readPlace(kind: Kind, path: string): Place | null | undefined {
  const urn = `${kind.schema}:`;
  const isOwn = path.toLowerCase().startsWith(urn.toLowerCase());
  if (!isOwn && /^urn:/i.test(path)) return null;
  const [name = '', subName, ...rest] = (isOwn ? path.slice(urn.length) : path).split('.');
  const attribute = find(kind.attributes, name) ?? find(common, name);
  if (attribute === undefined) return isUnkept(name) ? null : undefined;
  if (subName === undefined) return { attribute };
  const sub = rest.length > 0 ? undefined : findSub(attribute, subName);
  if (sub === undefined) return isUnkept(subName) ? null : undefined;
  return { attribute, sub };
}
