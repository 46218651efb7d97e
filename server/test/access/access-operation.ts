// What an operation of the access matrix is, and the world that its path is filled with.
import { documented } from '../stage/documented.ts';

/** The resources of permissions, in the words of R1. */
export const namedResources = documented('behaviour/permissions.md', /\*\*R1\*\* (.*)/);

export type World = {
  partner: string;
  agreement: string;
  /** A pending access request, and one that was approved. */
  request: string;
  approved: string;
  /** A member's agreement, and an open access review of it. */
  reviewed: string;
  review: string;
  group: string;
  serviceAccount: string;
  serviceToken: string;
  connection: string;
  provisionedGroup: string;
  domain: string;
  endpoint: string;
  /** What the endpoint has: no id of its own. */
  signingSecret: string;
  clientCertificate: string;
  delivery: string;
  event: string;
  replay: string;
  checkpoint: string;
  /** The sandbox receiver. It has no id of its own. */
  receiver: string;
  record: string;
  /** The caller's own agreement and token. When the caller has none, ids that belong to nobody. */
  own: string;
  ownToken: string;
  user: string;
};

export type Operation = {
  /** As in openapi.json. Text behind the path distinguishes two requests for one operation. */
  name: string;
  /** `resource.method`, or empty. */
  permission: string;
  path(world: World): string;
  body?: object | ((world: World) => object);
  /** The operation changes the partner or the caller, so no other operation can use the world after it. */
  consumes?: 'world';
};

const members: Readonly<Record<string, keyof World>> = {
  agreement_id: 'agreement',
  access_request_id: 'request',
  review_id: 'review',
  group_id: 'group',
  service_account_id: 'serviceAccount',
  connection_id: 'connection',
  provisioned_group_id: 'provisionedGroup',
  domain_id: 'domain',
  endpoint_id: 'endpoint',
  event_id: 'event',
  record_id: 'record',
  delivery_id: 'delivery',
  replay_id: 'replay',
  checkpoint_id: 'checkpoint',
  token_id: 'serviceToken',
};
type More = Pick<Operation, 'body' | 'consumes'> & { query?: string; eventType?: string };

export function operation(
  name: string,
  permission = '',
  { query = '', eventType = 'inventory.updated', ...more }: More = {},
): Operation {
  const [, template = ''] = name.split(' ');
  const values: Record<string, string> = {
    number: '1',
    name: eventType,
    request_id: '01a20a5d-d061-7ce7-a2d8-f1042a5e552f',
  };
  const isOwn = / own|invitations|\/me\//.test(name);
  const memberOf = (parameter: string) => {
    if (parameter === 'id') return template.startsWith('/users') ? 'user' : 'partner';
    if (isOwn) return parameter === 'token_id' ? 'ownToken' : 'own';
    if (template.endsWith('/revoke')) return parameter === 'access_request_id' ? 'approved' : undefined;
    if (template.includes('/access-reviews/') && parameter === 'agreement_id') return 'reviewed';
    return members[parameter];
  };
  const fill = (world: World) => (_: string, parameter: string) => {
    const member = memberOf(parameter);
    return member ? world[member] : (values[parameter] ?? 'unknown');
  };
  return {
    name,
    permission,
    path: (world) => template.replace(/\{(\w+)\}/g, fill(world)) + query,
    ...more,
  };
}
