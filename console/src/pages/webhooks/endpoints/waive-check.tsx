// The dialog in which an operator waives the check of an endpoint.
import { type WebhookEndpoint, waiveWebhookEndpointCheck } from '@concord/client';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextArea } from '#ui/form/field.tsx';

type Props = { endpoint: WebhookEndpoint; onClose: () => void };

export function WaiveCheck({ endpoint, onClose }: Props) {
  const partner = usePartner();
  const path = { id: partner, endpoint_id: endpoint.id };
  return (
    <FormDialog
      title={`Waive the check of ${endpoint.url}?`}
      onClose={onClose}
      submit="Waive the check"
      onSubmit={async (values) => {
        const body = { reason: values.text('reason') };
        await write(waiveWebhookEndpointCheck, { path, body }, { done: 'The check is waived' });
        onClose();
      }}
    >
      <TextArea
        name="reason"
        label="Reason"
        required
        help="The audit log keeps it. The waiver ends when the URL of the endpoint changes."
      />
    </FormDialog>
  );
}
