// An owner who is named for it works without the identity provider, and says why.
import { breakGlass } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { toast } from '../../api/toasts.ts';
import { write } from '../../api/write.ts';
import { formatExactTime } from '../../format/time.ts';
import { glass, glassProblems } from '../../messages/single-sign-on.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { TextArea } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useMe } from '../session.ts';

type Props = { partner: string; onClose: () => void; onBroken?: () => void };

export function BreakGlass({ partner, onClose, onBroken }: Props) {
  const { two_factor_enabled } = useMe();
  return (
    <Dialog title={glass.title} description={glass.about} onClose={onClose} staysOpen>
      {two_factor_enabled ? (
        <Form
          submit={glass.submit}
          explain={glassProblems}
          beside={<Button onClick={onClose}>{glass.cancel}</Button>}
          onSubmit={async (values) => {
            const body = { reason: values.text('reason').trim() };
            const { until } = await write((client) => breakGlass({ client, path: { id: partner }, body }));
            toast({ tone: 'good', text: glass.done(formatExactTime(until)) });
            onClose();
            onBroken?.();
          }}
        >
          <TextArea
            name="reason"
            label={glass.reason}
            help={glass.reasonHelp}
            maxLength={500}
            rows={3}
            required
            autoFocus
          />
        </Form>
      ) : (
        <Banner tone="warning">
          <p>
            {glass.noFactor} <Link to="/account/sign-in">{glass.setUp}</Link>
          </p>
        </Banner>
      )}
    </Dialog>
  );
}
