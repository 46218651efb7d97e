// What the person who is signed in may do to a partner.
import {
  type AclPermission,
  listAccessRequests,
  listOwnAgreements,
  type Me,
  type MyAgreement,
} from '@concord/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useRead } from '#api/read.ts';
import type { Method, Resource } from '#messages/permissions.ts';
import { usePartner } from './address.ts';
import { meQuery } from './me.ts';

/** For pages of signed-in people. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data.data;

/** What the caller may do to one partner. The server decides again at each request. */
export type PartnerAccess = {
  readonly partner: string;
  can(resource: Resource | '*', method: Method): boolean;
  /** Owners and operators. */
  readonly rules: boolean;
  readonly isOperator: boolean;
  /** Null: an operator without an agreement, or not read yet. */
  readonly agreement: MyAgreement | null;
  readonly isLoading: boolean;
};

/** `of`: another partner than the one whose page is open. */
export function useAccess(of?: string): PartnerAccess {
  const opened = usePartner();
  const partnerId = of ?? opened;
  const isOperator = useMe().role === 'operator';
  const { data, isPending } = useRead(listOwnAgreements, {});
  const agreement =
    data?.data.find(
      ({ partner, accepted, expires_at }) => partner.id === partnerId && accepted && isAhead(expires_at),
    ) ?? null;
  const rules = isOperator || agreement?.owner === true;
  const agreementId = agreement?.id ?? '';
  // What an approval gives for some time. Owners and operators gain nothing by it.
  const isMember = agreement !== null && !rules;
  const approved = useRead(
    listAccessRequests,
    { path: { id: partnerId }, query: { 'filter[agreement_id]': agreementId, 'filter[state]': 'approved' } },
    { enabled: isMember },
  );
  const mayForSomeTime = (resource: Resource | '*', method: Method): boolean =>
    isMember &&
    approved.data?.data.some(
      ({ permissions, ends_at }) =>
        isAhead(ends_at) && permissions.some((name) => name === `${resource}.${method}`),
    ) === true;
  return {
    partner: partnerId,
    can: (resource, method) =>
      rules ||
      grantsOf(agreement).some((grant) => [resource, '*'].includes(grant.resource) && grant[method]) ||
      mayForSomeTime(resource, method),
    rules,
    isOperator,
    agreement,
    isLoading: (isPending && !isOperator) || (isMember && approved.isPending),
  };
}

const isAhead = (time: string | null): boolean => time === null || Date.parse(time) > Date.now();
const grantsOf = (agreement: MyAgreement | null): readonly AclPermission[] =>
  agreement === null
    ? []
    : [
        ...agreement.acl_permissions,
        ...agreement.acl_permission_groups.flatMap((group) => group.acl_permissions),
      ];
