// Changes what a group grants. A preview says what changes for whom; saving comes after it.
import {
  type AclPermission,
  type AclPermissionGroup,
  type AclPermissionGroupPreview,
  previewAclPermissionGroup,
} from '@concord/client';
import { useState } from 'react';
import { client } from '#api/client.ts';
import type { Answer } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { Form } from '#ui/form/form.tsx';
import { Changes } from '#ui/permissions/changes.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { differenceOf } from '#ui/permissions/permission-sets.ts';
import { Table } from '#ui/table/table.tsx';
import { Faint } from '#ui/text/text.tsx';
import { agreementStates, groupProblems } from '../messages.ts';
import { saveGroup } from './save-group.ts';

type Props = { opened: Answer<AclPermissionGroup>; onClose: () => void };

export function ChangeGroup({ opened, onClose }: Props) {
  const { can, partner } = useAccess();
  const [permissions, setPermissions] = useState<AclPermission[]>(opened.data.acl_permissions);
  const [preview, setPreview] = useState<AclPermissionGroupPreview | null>(null);
  return (
    <>
      <Form
        isWide
        submit="Preview the change"
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={async () => {
          const path = { id: partner, group_id: opened.data.id };
          const body = { acl_permissions: permissions };
          setPreview(await previewAclPermissionGroup({ client, path, body }));
        }}
      >
        <PermissionPicker
          label={`What ${opened.data.name} grants`}
          value={permissions}
          onChange={setPermissions}
          mayGive={can}
        />
      </Form>
      {preview && (
        <PreviewDialog
          opened={opened}
          permissions={permissions}
          preview={preview}
          onClose={() => setPreview(null)}
          onSaved={onClose}
        />
      )}
    </>
  );
}

/** Rows of one preview. The list is as long as what a person can read. */
const shown = 100;

type PreviewProps = {
  opened: Answer<AclPermissionGroup>;
  permissions: AclPermission[];
  preview: AclPermissionGroupPreview;
  onClose: () => void;
  onSaved: () => void;
};
function PreviewDialog({ opened, permissions, preview, onClose, onSaved }: PreviewProps) {
  const partner = usePartner();
  const { name, acl_permissions } = opened.data;
  const changed = preview.agreements.filter(({ gained, lost }) => gained.length + lost.length > 0);
  const rows = changed.slice(0, shown).map((one, index) => ({ ...one, key: one.agreement_id ?? `${index}` }));
  return (
    <Dialog
      title={`What changes with ${name}`}
      description={
        <p>
          {formatCount(preview.total, 'agreement uses', 'agreements use')} the group.{' '}
          {preview.total > preview.agreements.length
            ? `Of the first ${formatNumber(preview.agreements.length)}, ${formatCount(changed.length, 'changes', 'change')}.`
            : changed.length === 0
              ? 'Nothing changes for anybody now.'
              : `The access changes for ${formatNumber(changed.length)}.`}
        </p>
      }
      onClose={onClose}
      isWide
      staysOpen
    >
      <Changes {...differenceOf(acl_permissions, permissions)} />
      {rows.length > 0 && (
        <Table
          label="What changes for whom"
          rows={rows}
          keyOf={({ key }) => key}
          columns={[
            {
              name: 'Person',
              cell: (one) =>
                one.name ??
                one.email ?? <Faint>{agreementStates[one.state].label}, you may not see who</Faint>,
            },
            { name: 'Gains and loses', cell: ({ gained, lost }) => <Changes gained={gained} lost={lost} /> },
          ]}
        />
      )}
      {changed.length > shown && <Faint>And {formatNumber(changed.length - shown)} more.</Faint>}
      <Form
        submit="Save the group"
        isWide
        explain={groupProblems}
        beside={<Button onClick={onClose}>Back</Button>}
        onSubmit={async () => {
          await saveGroup({ partner, opened, mine: { acl_permissions: permissions } });
          onSaved();
        }}
      />
    </Dialog>
  );
}
