// An owner who is named for it works without the identity provider, and says why.
import { breakGlass } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { write } from '#api/write.ts';
import { formatExactTime } from '#format/time.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { TextArea } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { usePartner } from '../address.ts';
import { useMe } from '../session.ts';

type Props = { onClose: () => void; onBroken?: (() => void) | undefined };

const problems = {
  mfa_required: 'Break glass needs a session with a second factor. Sign in again with yours.',
  forbidden: 'Only the owners who are named for break glass may do this.',
};

export function BreakGlass({ onClose, onBroken }: Props) {
  const partner = usePartner();
  const { two_factor_enabled } = useMe();
  return (
    <Dialog
      title="Use break glass?"
      description="You work without the identity provider for an hour at most. All owners get a mail with your reason, and the audit log keeps it."
      onClose={onClose}
      staysOpen
    >
      {two_factor_enabled ? (
        <Form
          submit="Use break glass"
          explain={problems}
          beside={<Button onClick={onClose}>Cancel</Button>}
          onSubmit={async (values) => {
            const body = { reason: values.text('reason').trim() };
            await write(
              breakGlass,
              { path: { id: partner }, body },
              {
                done: ({ until }) =>
                  `You work without the identity provider until ${formatExactTime(until)}.`,
              },
            );
            onClose();
            onBroken?.();
          }}
        >
          <TextArea
            name="reason"
            label="What happened"
            help="All owners read it."
            maxLength={500}
            rows={3}
            required
            autoFocus
          />
        </Form>
      ) : (
        <Banner tone="warning">
          <p>
            Break glass needs a second factor, and your account has none.{' '}
            <Link to="/account/sign-in">Set up the second factor</Link>
          </p>
        </Banner>
      )}
    </Dialog>
  );
}
