// Of whom the partner requires a sign-in with its identity provider, and who may work without it.
import { getSignInPolicy, listGrantors, type SignInPolicy } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, isCode, useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { CheckField, FieldSet, SelectField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';
import { ProveFirst } from './prove-first.tsx';
import { ageInWords, agesWith, savePolicy } from './save-policy.ts';

type Props = { hasConnection: boolean };

export function RequiredSignIn({ hasConnection }: Props) {
  const partner = usePartner();
  const path = { id: partner };
  const policy = useRead(getSignInPolicy, { path });
  // Owners come first in it, 100 at most.
  const grantors = useRead(listGrantors, { path, query: { permission: 'partner.delete' } });
  const [opened, setOpened] = useState<Answer<SignInPolicy> | null>(null);
  const owners = grantors.data?.data.flatMap(({ owner, agreement_id, name, email }): Owner[] =>
    owner && agreement_id !== null ? [{ id: agreement_id, name, email: email ?? '' }] : [],
  );
  const nameOf = (id: string) => owners?.find((owner) => owner.id === id)?.name ?? 'A former owner';
  return (
    <Section
      title="Required sign-in"
      about="Whether people need a sign-in with the identity provider to work here, and who may work without it."
      action={
        policy.data !== undefined &&
        owners !== undefined && <Button onClick={() => setOpened(policy.data)}>Change</Button>
      }
    >
      <Loaded query={policy} lines={3}>
        {({ data }) => (
          <Facts>
            <Fact name="Required of">{describe(data)}</Fact>
            <Fact name="A sign-in counts for">{ageInWords(data.max_age_seconds)}</Fact>
            <Fact name="Break glass">
              {data.break_glass_agreement_ids.map(nameOf).join(', ') || 'Any owner'}
            </Fact>
          </Facts>
        )}
      </Loaded>
      <p>
        <Link to="/p/$partner/audit" params={{ partner }} search={{ action: 'partner.break_glass' }}>
          See who used break glass
        </Link>
      </p>
      {opened && owners && (
        <PolicyDialog
          opened={opened}
          owners={owners}
          hasConnection={hasConnection}
          nameOf={nameOf}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

function describe({ sso_required, sso_required_agreement_ids: { length } }: SignInPolicy): string {
  if (sso_required) return 'Everybody';
  return length === 0 ? 'Nobody' : formatCount(length, 'person', 'people');
}

type Owner = { readonly id: string; readonly name: string; readonly email: string };

type PolicyDialogProps = {
  opened: Answer<SignInPolicy>;
  owners: readonly Owner[];
  /** One is on. */
  hasConnection: boolean;
  nameOf: (id: string) => string;
  onClose: () => void;
};

function PolicyDialog({ opened, owners, hasConnection, nameOf, onClose }: PolicyDialogProps) {
  const { sso_required, max_age_seconds, break_glass_agreement_ids: named } = opened.data;
  const { isOperator, partner } = useAccess();
  const [isRequired, setRequired] = useState(sso_required);
  const [mustProve, setMustProve] = useState(false);
  const isLocked = !hasConnection && !sso_required;

  async function submit(values: Values) {
    const mine = {
      sso_required: isRequired,
      max_age_seconds: Number(values.text('max_age_seconds')),
      break_glass_agreement_ids: values.all('break_glass').toSorted(),
    };
    try {
      return await savePolicy({ partner, opened, mine, nameOf });
    } catch (error) {
      if (isOperator || !hasConnection || !isCode(error, 'connection_required')) throw error;
      setMustProve(true);
      return false;
    }
  }

  return (
    <FormDialog
      title="Required sign-in"
      description="To require it of one person only, change the terms of that agreement under People."
      onClose={onClose}
      submit="Save"
      onSubmit={submit}
    >
      <CheckField
        name="sso_required"
        label="Everybody must sign in with the identity provider"
        help={
          isLocked
            ? 'Turn a connection on first: add one, test it, and press "Turn on".'
            : 'If not, it is one of several ways to sign in.'
        }
        checked={isRequired}
        disabled={isLocked}
        onChange={({ target }) => setRequired(target.checked)}
      />
      {isRequired && !sso_required && <Consequences />}
      <SelectField
        name="max_age_seconds"
        label="A sign-in counts for"
        defaultValue={String(max_age_seconds)}
        options={agesWith(max_age_seconds)}
        help="Then people sign in at the provider again."
      />
      <FieldSet
        legend="Break glass"
        help="They may work without the provider for an hour, with a second factor. All owners get a mail each time. Name at least two. If you name nobody who has a second factor, each owner may."
      >
        {owners.map(({ id, name, email }) => (
          <CheckField
            key={id}
            name="break_glass"
            value={id}
            label={name}
            help={email}
            defaultChecked={named.includes(id)}
          />
        ))}
        {owners.length === 0 && <p>This partner has no owner. Invite one first, so that somebody may.</p>}
      </FieldSet>
      {mustProve && <ProveFirst />}
    </FormDialog>
  );
}

function Consequences() {
  return (
    <Banner tone="warning" title="From the moment you save">
      <p>People without an account at the provider are locked out, until they have one. Nobody is removed.</p>
      <p>People who are signed in with a password sign in at the provider, in the same session.</p>
      <p>Access tokens of people do not work here any more.</p>
      <p>Service accounts and their tokens work as before. Operators of this Concord are not affected.</p>
    </Banner>
  );
}
