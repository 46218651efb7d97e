// Saves the sign-in policy: over the version that was opened, or for one agreement whatever else it says.
import { getSignInPolicy, type SignInPolicy, setSignInPolicy } from '@concord/client';
import { type Answer, isCode, readNow } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { formatDuration } from '#format/time.ts';

/** In seconds. */
const ages = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];
export const ageInWords = (seconds: number): string =>
  ages.find(({ value }) => value === String(seconds))?.label ?? formatDuration(seconds);
/** With the present one, which a program can have set to any second. */
export const agesWith = (seconds: number) =>
  [...new Set([...ages.map(({ value }) => Number(value)), seconds])]
    .toSorted((one, other) => one - other)
    .map((age) => ({ value: String(age), label: ageInWords(age) }));

/** Fields in the dialog of a conflict. */
const policyFields: Readonly<Record<keyof SignInPolicy, string>> = {
  sso_required: 'Required of everybody',
  max_age_seconds: 'A sign-in counts for',
  break_glass_agreement_ids: 'Break glass',
  sso_required_agreement_ids: 'Required of',
};

const load = (partner: string) => readNow(getSignInPolicy, { path: { id: partner } });
const put = (partner: string, body: SignInPolicy, headers: { 'if-match': string }) =>
  write(setSignInPolicy, { path: { id: partner }, body, headers });

type Options = {
  partner: string;
  opened: Answer<SignInPolicy>;
  mine: Partial<SignInPolicy>;
  /** Names an agreement. */
  nameOf: (id: string) => string;
};

export function savePolicy({ partner, opened, mine, nameOf }: Options) {
  const show = (value: unknown): string => {
    if (typeof value === 'number') return ageInWords(value);
    if (Array.isArray(value)) return value.map((id) => nameOf(String(id))).join(', ') || 'Any owner';
    return value === true ? 'Yes' : 'No';
  };
  return saveVersion<SignInPolicy>({
    thing: 'the sign-in policy',
    opened,
    mine,
    load: () => load(partner),
    save: (changes, headers, present) => put(partner, { ...present, ...changes }, headers),
    names: policyFields,
    show,
    done: 'The sign-in policy is saved.',
  });
}

/** What others change of it meanwhile stays. */
export async function requireOfAgreement(partner: string, id: string, isRequired: boolean): Promise<void> {
  for (let refused: string | undefined; ; ) {
    const { data, etag } = await load(partner);
    const others = data.sso_required_agreement_ids.filter((other) => other !== id);
    const body = { ...data, sso_required_agreement_ids: isRequired ? [...others, id] : others };
    try {
      await put(partner, body, { 'if-match': etag });
      return;
    } catch (error) {
      // As in saveVersion.
      if (!isCode(error, 'precondition_failed') || etag === refused) throw error;
      refused = etag;
    }
  }
}
