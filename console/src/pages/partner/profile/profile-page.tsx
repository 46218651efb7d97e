// The profile of a partner: one form for each concern, and the end of the partner.
import { getPartner, type Partner } from '@concord/client';
import { type Answer, useRead } from '#api/read.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Columns, Page, Section } from '#ui/layout/page.tsx';
import { Fact, Facts, Id, Time } from '#ui/text/text.tsx';
import { DeletePartner } from './delete-partner.tsx';
import { columns } from './fields.ts';
import css from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';

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
  const { data } = answer;
  const { can } = useAccess();
  return (
    <>
      <Facts>
        <Fact name="Partner">
          <Id id={data.id} />
        </Fact>
        <Fact name="Since">
          <Time at={data.created_at} />
        </Fact>
        <Fact name="Changed">
          <Time at={data.updated_at} />
        </Fact>
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
            <DialogButton dialog={(onClose) => <DeletePartner opened={answer} onClose={onClose} />}>
              Delete the partner…
            </DialogButton>
          </div>
        </Section>
      )}
    </>
  );
}
