// The present names of groups and endpoints of a partner. A record has their ids, and of an endpoint the
// host.
import { listAclPermissionGroups, listWebhookEndpoints, type WebhookEndpoint } from '@concord/client';
import { useRead } from '#api/read.ts';
import { useAccess } from '#app/session.ts';

export type Names = {
  readonly groups: ReadonlyMap<string, string>;
  readonly endpoints: ReadonlyMap<string, WebhookEndpoint>;
};

type Wanted = {
  /** Null: not of one partner, so nothing is read. */
  partner: string | null;
  groups?: boolean;
  endpoints?: boolean;
};

/** Names of what the person can list. */
export function useNames({ partner, groups = false, endpoints = false }: Wanted): Names {
  const { can } = useAccess(partner ?? '');
  const path = { id: partner ?? '' };
  const isOf = partner !== null;
  const allGroups = useRead(
    listAclPermissionGroups,
    { path },
    { enabled: isOf && groups && can('acl_permission_groups', 'query') },
  );
  const allEndpoints = useRead(
    listWebhookEndpoints,
    { path, query: { page_size: 100 } },
    { enabled: isOf && endpoints && can('webhook_endpoints', 'query') },
  );
  return {
    groups: new Map(allGroups.data?.data.map(({ id, name }) => [id, name])),
    endpoints: new Map(allEndpoints.data?.data.map((endpoint) => [endpoint.id, endpoint])),
  };
}

/** Null: unknown, or it has had another host since. */
export function endpointOf(
  names: Names | undefined,
  target: string | null,
  host: string | null,
): WebhookEndpoint | null {
  const found = target === null ? undefined : names?.endpoints.get(target);
  return found !== undefined && new URL(found.url).host === host ? found : null;
}
