// Saves an agreement over the version that was opened, with the question after a conflict.
import {
  type Agreement,
  getPartnerAgreement,
  type UpdateAgreement,
  updatePartnerAgreement,
  withResponse,
} from '@concord/client';
import { client } from '#api/client.ts';
import type { Answer } from '#api/read.ts';
import { type Ask, type Difference, saveOpened } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { formatExactTime } from '#format/time.ts';
import { summarize } from '#ui/permissions/permission-sets.ts';
import { fieldNames } from '../messages.ts';
import { nameOf } from './agreement.ts';

type Fields = Required<Omit<UpdateAgreement, 'accepted'>>;

type Options = {
  partner: string;
  opened: Answer<Agreement>;
  /** Fields that the form has. */
  mine: Partial<Fields>;
  ask: Ask;
};

export function saveAgreement({ partner, opened, mine, ask }: Options): Promise<void> {
  const path = { id: partner, agreement_id: opened.data.id };
  const names = new Map(opened.data.acl_permission_groups.map(({ id, name }) => [id, name]));
  return saveOpened<Fields>({
    ...{ opened, mine, ask },
    load: async () => {
      const answer = await withResponse(getPartnerAgreement, { client, path });
      for (const { id, name } of answer.data.acl_permission_groups) names.set(id, name);
      return answer;
    },
    save: (body, headers) => write(updatePartnerAgreement, { path, body, headers }),
    show: (difference) => toShown(difference, names),
    done: `The agreement of ${nameOf(opened.data)} is saved.`,
  });
}

function toShown({ field, mine, theirs }: Difference<Fields>, names: ReadonlyMap<string, string>) {
  const show = (value: unknown): string => {
    if (field === 'acl_permissions') return summarize(value as Fields['acl_permissions']);
    if (field === 'acl_permission_group_ids')
      return (value as string[]).map((id) => names.get(id) ?? id).join(', ') || 'None';
    if (field === 'expires_at') return value === null ? 'Never' : formatExactTime(String(value));
    return value === true ? 'Yes' : 'No';
  };
  return { field: fieldNames[field] ?? field, mine: show(mine), theirs: show(theirs) };
}
