// Of whom the partner requires a sign-in with its identity provider, and who may work without it.
import { getSignInPolicy, listGrantors, type SignInPolicy } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '../../../api/read.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Fact, Facts } from '../../../ui/text/text.tsx';
import { type Owner, PolicyDialog } from './policy-dialog.tsx';
import { ageInWords, policyWords } from './policy-messages.ts';

type Props = { partner: string; hasConnection: boolean };

export function RequiredSignIn({ partner, hasConnection }: Props) {
  const path = { id: partner };
  const policy = useRead(getSignInPolicy, { path });
  // Owners come first in it, 100 at most.
  const grantors = useRead(listGrantors, { path, query: { permission: 'partner.delete' } });
  const [opened, setOpened] = useState<Answer<SignInPolicy> | null>(null);
  const owners = grantors.data?.data.flatMap(({ owner, agreement_id, name, email }): Owner[] =>
    owner && agreement_id !== null ? [{ id: agreement_id, name, email: email ?? '' }] : [],
  );
  const nameOf = (id: string) => owners?.find((owner) => owner.id === id)?.name ?? policyWords.gone;
  return (
    <Section
      title={policyWords.title}
      about={policyWords.about}
      action={
        policy.data !== undefined &&
        owners !== undefined && <Button onClick={() => setOpened(policy.data)}>{policyWords.change}</Button>
      }
    >
      <Loaded query={policy} lines={3}>
        {({ data }) => (
          <Facts>
            <Fact name={policyWords.requiredOf}>{describe(data)}</Fact>
            <Fact name={policyWords.age}>{ageInWords(data.max_age_seconds)}</Fact>
            <Fact name={policyWords.glass}>
              {data.break_glass_agreement_ids.map(nameOf).join(', ') || policyWords.anyOwner}
            </Fact>
          </Facts>
        )}
      </Loaded>
      <p>
        <Link to="/p/$partner/audit" params={{ partner }} search={{ action: 'partner.break_glass' } as never}>
          {policyWords.uses}
        </Link>
      </p>
      {opened && owners && (
        <PolicyDialog
          {...{ partner, opened, owners, hasConnection, nameOf }}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

function describe({ sso_required, sso_required_agreement_ids: { length } }: SignInPolicy): string {
  if (sso_required) return policyWords.everybody;
  return length === 0 ? policyWords.nobody : policyWords.some(length);
}
