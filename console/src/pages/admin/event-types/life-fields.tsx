// Who sees an event type, until when, and what comes after it.
import type { PutEventType } from '@concord/client';
import { fromLocal, toLocal } from '#format/local-time.ts';
import { CheckField, TextArea, TextField } from '#ui/form/field.tsx';
import { hasFaultBeside, useFormState, type Values } from '#ui/form/form.tsx';
import { Columns, Stack } from '#ui/layout/page.tsx';

type Life = Pick<PutEventType, 'partner_ids' | 'deprecated' | 'archived'>;

export function LifeFields({ fields: { partner_ids, deprecated, archived } }: { fields: Life }) {
  const isFaulty = hasFaultBeside(useFormState(), ['description', 'schema', 'example']);
  const isShown = Array.isArray(partner_ids) || Boolean(deprecated) || archived === true;
  return (
    <details open={isShown || isFaulty || undefined}>
      <summary>Partners, deprecation and archive</summary>
      <Stack>
        <CheckField
          name="is_private"
          label="Only some partners see it"
          help="For others it does not exist, in lists, in searches and in publishing."
          defaultChecked={Array.isArray(partner_ids)}
        />
        <TextArea
          name="partner_ids"
          label="Ids of these partners"
          isCode
          rows={3}
          spellCheck={false}
          defaultValue={partner_ids?.join('\n')}
          help="One in each line. Empty: only operators see it."
        />
        <Columns>
          <TextField
            name="deprecated_at"
            label="Deprecated from"
            type="datetime-local"
            defaultValue={toLocal(deprecated?.at ?? '')}
            help="Empty: not deprecated. Owners of partners whose live endpoints name the type get a mail."
          />
          <TextField
            name="successor"
            label="Use instead"
            isCode
            defaultValue={deprecated?.successor ?? ''}
            help="The name of another event type, or empty."
          />
        </Columns>
        <CheckField
          name="archived"
          label="Archived"
          help="It takes no events and no subscriptions. Past events and their deliveries stay."
          defaultChecked={archived === true}
        />
      </Stack>
    </details>
  );
}

export function readLife(values: Values, { deprecated }: Life): Required<Life> {
  const local = values.text('deprecated_at');
  const before = deprecated?.at ?? '';
  // The field has minutes only. Another time would be another deprecation, with mails of its own.
  const at = local === toLocal(before) ? before : fromLocal(local);
  const partners = values.text('partner_ids').split(/\s+/).filter(Boolean);
  return {
    partner_ids: values.isChecked('is_private') ? partners : null,
    deprecated: at === '' ? null : { at, successor: values.optional('successor') },
    archived: values.isChecked('archived'),
  };
}
