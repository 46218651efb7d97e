// An access request, and what its approval grants. Pure: no SQL, no HTTP.
import { toAclPermission } from '../../access/permissions/index.ts';
import { type Grantor, mayGive, memberTerms, type Terms, toEndMs } from '../agreement.ts';
import { mayUseAgreements } from '../grantors/grantors.ts';
import { readPermission } from '../grantors/schema.ts';
import type { RequestRow } from './store.ts';

type Asked = Pick<RequestRow, 'permissions' | 'duration_seconds' | 'mfa_required' | 'agreement_ends_at'>;

/** When the access ends if it is approved now: at the latest when the agreement ends. */
export const endOf = (
  now: Date,
  { duration_seconds, agreement_ends_at }: Pick<Asked, 'duration_seconds' | 'agreement_ends_at'>,
) => new Date(Math.min(now.getTime() + duration_seconds * 1_000, toEndMs(agreement_ends_at)));

/** What an approval adds, for the rules on who may grant what (behaviour A8, A12). */
export const addedTerms = ({ permissions, mfa_required }: Asked, endsAt: Date): Terms =>
  memberTerms({
    mfa_required,
    expires_at: endsAt.toISOString(),
    acl_permissions: permissions.map((name) => {
      const { resource, method } = readPermission(name);
      return toAclPermission(resource, [method]);
    }),
  });

export const mayApprove = (grantor: Grantor, asked: Asked, now: Date) =>
  mayUseAgreements(grantor, 'patch') && mayGive(grantor, null, addedTerms(asked, endOf(now, asked)));
