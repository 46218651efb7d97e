// Invites people: each address first, then groups and terms on the agreement that it created.
import {
  type Agreement,
  ConcordError,
  createPartnerAgreement,
  type UpdateAgreement,
  updatePartnerAgreement,
} from '@concord/client';
import { write } from '#api/write.ts';
import type { PartnerAccess } from '#app/session.ts';
import { fromLocal } from '#format/local-time.ts';
import { errorText } from '#messages/errors.ts';
import type { Values } from '#ui/form/form.tsx';
import { agreementProblems } from '../messages.ts';
import type { Result } from './invite-results.tsx';

export type Invited = {
  readonly agreement: Agreement;
  readonly terms: UpdateAgreement;
  /** Why the agreement does not have the terms. */
  readonly error: ConcordError | null;
};

export async function setTerms(
  partner: string,
  agreement: Agreement,
  terms: UpdateAgreement,
): Promise<Invited> {
  try {
    await write(updatePartnerAgreement, { path: { id: partner, agreement_id: agreement.id }, body: terms });
    return { agreement, terms, error: null };
  } catch (error) {
    if (!(error instanceof ConcordError)) throw error;
    return { agreement, terms, error };
  }
}

export async function inviteOne(
  email: string,
  values: Values,
  { can, partner }: PartnerAccess,
): Promise<Invited> {
  const body = { email, owner: values.isChecked('owner') };
  const agreement = await write(createPartnerAgreement, { path: { id: partner }, body });
  const terms = can('agreements', 'patch')
    ? termsOf(values, agreement, can('acl_permission_groups', 'query'))
    : {};
  if (Object.keys(terms).length === 0) return { agreement, terms, error: null };
  return setTerms(partner, agreement, terms);
}

/** A refusal of one does not stop the others. */
export async function inviteAll(
  emails: readonly string[],
  values: Values,
  access: PartnerAccess,
): Promise<Result[]> {
  const found: Result[] = [];
  for (const email of emails) {
    try {
      const { agreement, error } = await inviteOne(email, values, access);
      found.push({ email, agreement, problem: error && errorText(error) });
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      found.push({ email, agreement: null, problem: errorText(error, agreementProblems) });
    }
  }
  return found;
}

/** Only what differs from the new agreement. */
function termsOf(values: Values, agreement: Agreement, hasGroups: boolean): UpdateAgreement {
  const groups = values.all('acl_permission_group_ids');
  const expires_at = fromLocal(values.optional('expires_at'));
  const differs = groups.toSorted().join() !== agreement.acl_permission_group_ids.toSorted().join();
  return {
    ...(hasGroups && differs && { acl_permission_group_ids: groups }),
    ...(expires_at !== null && { expires_at }),
    ...(values.isChecked('mfa_required') && !agreement.mfa_required && { mfa_required: true }),
  };
}
