// Saves an agreement over the version that was opened.
import {
  type Agreement,
  getPartnerAgreement,
  type UpdateAgreement,
  updatePartnerAgreement,
} from '@concord/client';
import { type Answer, readNow } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { formatExactTime } from '#format/time.ts';
import { summarize } from '#ui/permissions/permission-sets.ts';
import { nameOf } from './agreement.ts';

type Fields = Required<Omit<UpdateAgreement, 'accepted'>>;

type Options = {
  partner: string;
  opened: Answer<Agreement>;
  mine: Partial<Fields>;
};

export function saveAgreement({ partner, opened, mine }: Options) {
  const path = { id: partner, agreement_id: opened.data.id };
  const groups = new Map(opened.data.acl_permission_groups.map(({ id, name }) => [id, name]));
  return saveVersion<Fields>({
    thing: 'this agreement',
    opened,
    mine,
    load: async () => {
      const answer = await readNow(getPartnerAgreement, { path });
      for (const { id, name } of answer.data.acl_permission_groups) groups.set(id, name);
      return answer;
    },
    save: (body, headers) => write(updatePartnerAgreement, { path, body, headers }),
    names: fieldNames,
    show: (value, field) => {
      if (field === 'acl_permissions') return summarize(value as Fields['acl_permissions']);
      if (field === 'acl_permission_group_ids')
        return (value as string[]).map((id) => groups.get(id) ?? id).join(', ') || 'None';
      if (field === 'expires_at') return value === null ? 'Never' : formatExactTime(String(value));
      return value === true ? 'Yes' : 'No';
    },
    done: `The agreement of ${nameOf(opened.data)} is saved.`,
  });
}

const fieldNames: Readonly<Record<keyof Fields, string>> = {
  owner: 'Owner',
  mfa_required: 'Second factor required',
  expires_at: 'Ends',
  acl_permissions: 'Own permissions',
  acl_permission_group_ids: 'Groups',
};
