// The profile of a partner: one form for each concern, and the end of the partner.
import { getPartner, type Partner, updatePartner, withResponse } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { type Answer, readNow, useRead } from '#api/read.ts';
import { saveVersion, type Version } from '#api/save-version.ts';
import { toast } from '#api/toasts.ts';
import { useBase } from '#api/use-base.ts';
import { type ForClient, write } from '#api/write.ts';
import { Allowed } from '#app/allowed.tsx';
import { DeletePartner } from '#app/delete-partner.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { DialogButton } from '#ui/dialog/dialog.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { TextArea, TextField } from '#ui/form/field.tsx';
import { Form, type Values as FormValues } from '#ui/form/form.tsx';
import { Columns, Page, Section } from '#ui/layout/page.tsx';
import { Fact, Facts, Faint } from '#ui/text/text.tsx';
import { bodyOf, type Concern, columns, type Field, labels, type Texts, textsOf } from './fields.ts';
import css from './profile.module.css';
import { findWarnings } from './warnings.ts';

export function PartnerProfilePage() {
  const { can, partner } = useAccess();
  const query = useRead(getPartner, { path: { id: partner } }, { enabled: can('partner', 'get') });
  return (
    <Page
      title="Profile"
      about="What is known about the partner, for its people and for the operators of this Concord."
    >
      <Allowed resource="partner" method="get">
        <Loaded query={query} lines={12} denied={<Denied resource="partner" method="get" />}>
          {(answer) => <Profile answer={answer} />}
        </Loaded>
      </Allowed>
    </Page>
  );
}

function Profile({ answer }: { answer: Answer<Partner> }) {
  const { data, etag } = answer;
  const { can, isOperator } = useAccess();
  const navigate = useNavigate();
  const leave = () => navigate({ to: isOperator ? '/admin/partners' : '/' });
  return (
    <>
      <Facts>
        <Fact name="Partner" id={data.id} />
        <Fact name="Since" at={data.created_at} />
        <Fact name="Changed" at={data.updated_at} />
      </Facts>
      <Columns>
        {columns.map((concerns) => (
          <div key={concerns[0]?.title} className={css.column}>
            {concerns.map((concern) => (
              <Section key={concern.title} title={concern.title}>
                <ProfileForm answer={answer} concern={concern} isLocked={!can('partner', 'patch')} />
              </Section>
            ))}
          </div>
        ))}
      </Columns>
      {can('partner', 'delete') && (
        <Section
          title="Delete the partner"
          about="Its endpoints stop receiving at once. An operator can restore it for 30 days."
        >
          <div>
            <DialogButton
              dialog={(onClose) => (
                <DeletePartner partner={data} etag={etag} onClose={onClose} leave={leave} />
              )}
            >
              Delete the partner…
            </DialogButton>
          </div>
        </Section>
      )}
    </>
  );
}

type Props = { answer: Answer<Partner>; concern: Concern; isLocked: boolean };

function ProfileForm({ answer, concern, isLocked }: Props) {
  const now: Version<Texts> = { data: textsOf(answer.data, concern), etag: answer.etag };
  const { base, key, onEdit, follow } = useBase(now);
  if (isLocked) return <Values texts={now.data} fields={concern.fields} />;
  const path = { id: answer.data.id };

  async function load(): Promise<Version<Texts>> {
    const { data, etag } = await readNow(getPartner, { path });
    return { data: textsOf(data, concern), etag };
  }

  async function save(mine: Texts) {
    let ignored: string[] = [];
    const outcome = await saveVersion<Texts>({
      thing: 'the partner',
      opened: base,
      mine,
      load,
      names: labels,
      show: String,
      save: async (changes, headers) => {
        const body = bodyOf(changes);
        const { response } = await write(
          (options: ForClient) => withResponse(updatePartner, { ...options, path, headers, body }),
          {},
        );
        ignored = readIgnored(response.headers.get('ignored-members'));
      },
    });
    const current = await load();
    follow(current, mine);
    if (ignored.length > 0) {
      const kept = ignored.map((name) => `${nameOf(name)} stays ${current.data[name] || 'empty'}`);
      toast({ tone: 'warning', text: `Saved, except for values that are not valid: ${kept.join(', ')}.` });
    } else if (outcome === 'saved') {
      const other = Object.entries(current.data).filter(([name, text]) => text !== mine[name]);
      const kept = other.map(([name, text]) => `${nameOf(name)} as ${text || 'empty'}`).join(', ');
      toast({
        tone: 'good',
        text: kept === '' ? 'The profile is saved.' : `The profile is saved, with ${kept}.`,
      });
    }
  }

  const textsIn = (values: FormValues): Texts =>
    Object.fromEntries(concern.fields.map(({ name }) => [name, values.text(name)]));
  return (
    <Form
      key={key}
      submit={concern.submit}
      look="secondary"
      onEdit={onEdit}
      warn={(values) => findWarnings(base.data, textsIn(values))}
      onSubmit={(values) => save(textsIn(values))}
    >
      {concern.fields.map((field) => (
        <ProfileField key={field.name} field={field} text={base.data[field.name] ?? ''} />
      ))}
    </Form>
  );
}

const nameOf = (name: string): string => labels[name] ?? name;
/** `"/billing_address/latitude"` as the name of its field. */
const readIgnored = (header: string | null): string[] =>
  [...(header ?? '').matchAll(/"\/([^"]*)"/g)].map(([, pointer = '']) =>
    decodeURIComponent(pointer).replaceAll('/', '.'),
  );

function ProfileField({ field: { name, label, help, kind = 'text' }, text }: { field: Field; text: string }) {
  const shared = { name, label, defaultValue: text, ...(help !== undefined && { help }) };
  if (kind === 'area') return <TextArea {...shared} rows={3} />;
  // The API takes any text, so the browser must not refuse one: the kinds are for keyboards of phones.
  return <TextField {...shared} inputMode={kind} required={name === 'name'} />;
}

function Values({ texts, fields }: { texts: Texts; fields: readonly Field[] }) {
  return (
    <Facts>
      {fields.map(({ name, label }) => (
        <Fact key={name} name={label}>
          {texts[name] || <Faint>–</Faint>}
        </Fact>
      ))}
    </Facts>
  );
}
