// Of whom the partner requires a sign-in with its identity provider, and who may work without it.
import { getSignInPolicy, listGrantors, type SignInPolicy } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button/button.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';
import { type Owner, PolicyDialog } from './policy-dialog.tsx';
import { ageInWords } from './policy-messages.ts';

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
  const nameOf = (id: string) => owners?.find((owner) => owner.id === id)?.name ?? 'An owner of before';
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
        <Link to="/p/$partner/audit" params={{ partner }} search={{ action: 'partner.break_glass' } as never}>
          See who used break glass
        </Link>
      </p>
      {opened && owners && (
        <PolicyDialog {...{ opened, owners, hasConnection, nameOf }} onClose={() => setOpened(null)} />
      )}
    </Section>
  );
}

function describe({ sso_required, sso_required_agreement_ids: { length } }: SignInPolicy): string {
  if (sso_required) return 'Everybody';
  return length === 0 ? 'Nobody' : formatCount(length, 'person', 'people');
}
