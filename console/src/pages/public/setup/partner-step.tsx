// Step 4: the first partner.
import { createPartner, listPartners, type Partner } from '@concord/client';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { Button } from '#ui/button.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Skip } from './next-button.tsx';
import { useProgress } from './steps.ts';

export function PartnerStep() {
  const progress = useProgress();
  const partners = useRead(listPartners, {
    query: { page_size: 1, sort_by: 'created_at', sort_dir: 'desc' },
  });
  return (
    <Section
      title="Create your first partner"
      about="A partner is a company that you exchange data with. Its people, endpoints and events belong to it."
    >
      <Loaded query={partners}>
        {({ data: [newest] }) => (
          <>
            {newest && <Existing partner={newest} />}
            <Form
              submit="Create the partner"
              look={newest ? 'secondary' : 'primary'}
              beside={<Skip to="test" />}
              onSubmit={async (values) => {
                const made = await write(createPartner, { body: { name: values.text('name').trim() } });
                progress.to('endpoint', { partner: made.id });
              }}
            >
              <TextField
                name="name"
                label="Name"
                help="You can change it later."
                maxLength={200}
                required
                autoFocus
              />
            </Form>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Existing({ partner }: { partner: Partner }) {
  const progress = useProgress();
  return (
    <Row>
      <p>There is a partner already: {partner.name}.</p>
      <Button look="primary" onClick={() => progress.to('endpoint', { partner: partner.id })}>
        Go on with it
      </Button>
    </Row>
  );
}
