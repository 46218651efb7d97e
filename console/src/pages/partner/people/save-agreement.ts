// Saves an agreement over the version that was opened, with the question after a conflict.
import {
  type Agreement,
  getPartnerAgreement,
  type UpdateAgreement,
  updatePartnerAgreement,
  withResponse,
} from '@concord/client';
import { client } from '../../../api/client.ts';
import type { Answer } from '../../../api/read.ts';
import { type Difference, saveVersion, type Version } from '../../../api/save-version.ts';
import { toast } from '../../../api/toasts.ts';
import { readAgain, write } from '../../../api/write.ts';
import { formatExactTime } from '../../../format/time.ts';
import { summarize } from '../../../ui/permissions/permission-sets.ts';
import { fieldNames } from '../messages.ts';
import { nameOf } from './agreement.ts';

type Fields = Required<Omit<UpdateAgreement, 'accepted'>>;
type Shown = { readonly field: string; readonly mine: string; readonly theirs: string };

const fieldsOf = ({
  owner,
  mfa_required,
  expires_at,
  acl_permissions,
  acl_permission_group_ids,
}: Agreement): Fields => ({
  owner,
  mfa_required,
  expires_at,
  acl_permissions,
  acl_permission_group_ids,
});

type Options = {
  partner: string;
  opened: Answer<Agreement>;
  /** Fields that the form has. */
  mine: Partial<Fields>;
  ask: (differences: readonly Shown[]) => Promise<boolean>;
};

export async function saveAgreement({ partner, opened, mine, ask }: Options): Promise<void> {
  const path = { id: partner, agreement_id: opened.data.id };
  const names = new Map(opened.data.acl_permission_groups.map(({ id, name }) => [id, name]));
  const load = async (): Promise<Version<Fields>> => {
    const { data, response } = await withResponse(getPartnerAgreement, { client, path });
    for (const { id, name } of data.acl_permission_groups) names.set(id, name);
    return { fields: fieldsOf(data), etag: response.headers.get('etag') ?? '' };
  };
  const base = { fields: fieldsOf(opened.data), etag: opened.etag };
  const outcome = await saveVersion<Fields>({
    base,
    mine: { ...base.fields, ...mine },
    load,
    save: (body, etag) =>
      write((used) => updatePartnerAgreement({ client: used, path, body, headers: { 'if-match': etag } })),
    ask: (differences) => ask(differences.map((difference) => toShown(difference, names))),
  });
  if (outcome === 'saved') toast({ tone: 'good', text: `The agreement of ${nameOf(opened.data)} is saved.` });
  else await readAgain();
}

function toShown({ field, mine, theirs }: Difference<Fields>, names: ReadonlyMap<string, string>): Shown {
  const show = (value: unknown): string => {
    if (field === 'acl_permissions') return summarize(value as Fields['acl_permissions']);
    if (field === 'acl_permission_group_ids')
      return (value as string[]).map((id) => names.get(id) ?? id).join(', ') || 'None';
    if (field === 'expires_at') return value === null ? 'Never' : formatExactTime(String(value));
    return value === true ? 'Yes' : 'No';
  };
  return { field: fieldNames[field] ?? field, mine: show(mine), theirs: show(theirs) };
}
