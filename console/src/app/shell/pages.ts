// The pages of the rail and the tabs of the own account, which the search finds too. Pages that would be refused are
// not offered.
import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { PartnerAccess } from '../session.ts';
import {
  DeliveryIcon,
  EndpointIcon,
  EventIcon,
  GroupsIcon,
  KeyIcon,
  LinkIcon,
  LogIcon,
  OverviewIcon,
  PeopleIcon,
  ProfileIcon,
  ProgramIcon,
  ReviewIcon,
  SchemaIcon,
  StartIcon,
  SystemIcon,
  VerifyIcon,
} from './icons.tsx';

type To = NonNullable<LinkProps['to']>;
/** A name, an icon, a route, and who is offered it: everybody by default. */
type Page = readonly [name: string, Icon: ComponentType, to: To, isFor?: (access: PartnerAccess) => boolean];
export type PageGroup = { readonly name: string; readonly pages: readonly Page[] };

const rules = (access: PartnerAccess) => access.rules;
const canQuery =
  (resource: Parameters<PartnerAccess['can']>[0]) =>
  ({ can }: PartnerAccess) =>
    can(resource, 'query');

const partnerPages: readonly PageGroup[] = [
  {
    name: 'Partner',
    pages: [
      ['Overview', OverviewIcon, '/p/$partner'],
      ['Profile', ProfileIcon, '/p/$partner/profile', ({ can }) => can('partner', 'get')],
      ['People', PeopleIcon, '/p/$partner/people', canQuery('agreements')],
      [
        'Access requests',
        KeyIcon,
        '/p/$partner/access-requests',
        (access) => access.rules || access.agreement !== null,
      ],
      ['Access reviews', ReviewIcon, '/p/$partner/access-reviews', rules],
      ['Groups', GroupsIcon, '/p/$partner/groups', canQuery('acl_permission_groups')],
      ['Service accounts', ProgramIcon, '/p/$partner/service-accounts', rules],
      ['Single sign-on', LinkIcon, '/p/$partner/single-sign-on', rules],
      ['Audit log', LogIcon, '/p/$partner/audit', canQuery('audit_log')],
    ],
  },
  {
    name: 'Webhooks',
    pages: [
      ['Endpoints', EndpointIcon, '/p/$partner/webhooks/endpoints', canQuery('webhook_endpoints')],
      ['Deliveries', DeliveryIcon, '/p/$partner/webhooks/deliveries', canQuery('deliveries')],
      ['Events', EventIcon, '/p/$partner/webhooks/events', canQuery('events')],
      ['Event types', SchemaIcon, '/p/$partner/webhooks/event-types'],
      ['Verify a request', VerifyIcon, '/p/$partner/webhooks/verify'],
      ['Quickstart', StartIcon, '/p/$partner/webhooks/quickstart', canQuery('webhook_endpoints')],
    ],
  },
];

const platformPages: readonly PageGroup[] = [
  {
    name: 'Platform',
    pages: [
      ['Overview', OverviewIcon, '/admin'],
      ['Partners', ProfileIcon, '/admin/partners'],
      ['Users', PeopleIcon, '/admin/users'],
      ['Event types', SchemaIcon, '/admin/event-types'],
      ['Signing keys', KeyIcon, '/admin/signing-keys'],
      ['Audit log', LogIcon, '/admin/audit'],
      ['System', SystemIcon, '/admin/system'],
    ],
  },
];

export const accountPages: readonly (readonly [name: string, to: To])[] = [
  ['Profile', '/account'],
  ['Sign-in', '/account/sign-in'],
  ['Sessions', '/account/sessions'],
  ['Access tokens', '/account/tokens'],
];

/** The groups of the rail. `partner`: whether one is open. */
export const pageGroups = (access: PartnerAccess, partner: string | null): readonly PageGroup[] =>
  [...(partner === null ? [] : partnerPages), ...(access.isOperator ? platformPages : [])].map(
    ({ name, pages }) => ({ name, pages: pages.filter(([, , , isFor]) => isFor?.(access) ?? true) }),
  );
