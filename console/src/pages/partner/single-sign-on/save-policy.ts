// Saves the sign-in policy: over the version that was opened, or for one agreement whatever else it says.
import { getSignInPolicy, type SignInPolicy, setSignInPolicy, withResponse } from '@concord/client';
import { client } from '../../../api/client.ts';
import { type Answer, isCode } from '../../../api/read.ts';
import { saveVersion } from '../../../api/save-version.ts';
import { toast } from '../../../api/toasts.ts';
import { readAgain, write } from '../../../api/write.ts';
import { ageInWords, policyFields } from './policy-messages.ts';

type Version = { fields: SignInPolicy; etag: string };

async function load(partner: string): Promise<Version> {
  const { data, response } = await withResponse(getSignInPolicy, { client, path: { id: partner } });
  return { fields: data, etag: response.headers.get('etag') ?? '' };
}
const put = (partner: string, body: SignInPolicy, etag: string) =>
  write((used) =>
    setSignInPolicy({ client: used, path: { id: partner }, body, headers: { 'if-match': etag } }),
  );

type Options = {
  partner: string;
  opened: Answer<SignInPolicy>;
  /** Fields that the form has. */
  mine: Partial<SignInPolicy>;
  /** Of an agreement. */
  nameOf: (id: string) => string;
  ask: (differences: { field: string; mine: string; theirs: string }[]) => Promise<boolean>;
};

export async function savePolicy({ partner, opened, mine, nameOf, ask }: Options): Promise<void> {
  let present: Version = { fields: opened.data, etag: opened.etag };
  const show = (value: unknown): string => {
    if (typeof value === 'number') return ageInWords(value);
    if (Array.isArray(value)) return value.map((id) => nameOf(String(id))).join(', ') || 'Any owner';
    return value === true ? 'Yes' : 'No';
  };
  const outcome = await saveVersion<SignInPolicy>({
    base: present,
    mine: { ...present.fields, ...mine },
    load: async () => {
      present = await load(partner);
      return present;
    },
    save: (changes, etag) => put(partner, { ...present.fields, ...changes }, etag),
    ask: (differences) =>
      ask(
        differences.map(({ field, mine: ours, theirs }) => ({
          field: policyFields[field] ?? field,
          mine: show(ours),
          theirs: show(theirs),
        })),
      ),
  });
  if (outcome === 'saved') toast({ tone: 'good', text: 'The sign-in policy is saved.' });
  else await readAgain();
}

/** What others change of it meanwhile stays. */
export async function requireOfAgreement(partner: string, id: string, isRequired: boolean): Promise<void> {
  for (;;) {
    const { fields, etag } = await load(partner);
    const others = fields.sso_required_agreement_ids.filter((other) => other !== id);
    const body = { ...fields, sso_required_agreement_ids: isRequired ? [...others, id] : others };
    try {
      await put(partner, body, etag);
      return;
    } catch (error) {
      if (!isCode(error, 'precondition_failed')) throw error;
    }
  }
}
