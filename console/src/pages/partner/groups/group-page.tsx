// One group: what it grants, who carries it, and its history.
import { type AclPermissionGroup, getAclPermissionGroup } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { usePartner, usePath } from '#app/address.ts';
import { AllowedPage } from '#app/allowed.tsx';
import { useAccess } from '#app/session.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Part } from '#ui/layout/part.tsx';
import { PermissionMatrix } from '#ui/permissions/permission-matrix.tsx';
import { holds } from '#ui/permissions/permission-sets.ts';
import { Soft } from '#ui/text/text.tsx';
import { groupProblems, groupTypes } from '../messages.ts';
import { History } from '../people/history.tsx';
import { Carriers } from './carriers.tsx';
import { ChangeGroup } from './change-group.tsx';
import { DeleteGroup } from './delete-group.tsx';
import { saveGroup } from './save-group.ts';

export function GroupPage() {
  const { partner, group } = usePath();
  const { can } = useAccess();
  const isAllowed = can('acl_permission_groups', 'get');
  const query = useRead(
    getAclPermissionGroup,
    { path: { id: partner, group_id: group } },
    { enabled: isAllowed },
  );
  return (
    <AllowedPage title="Group" query={query} resource="acl_permission_groups" method="get">
      {(answer) => <Group answer={answer} />}
    </AllowedPage>
  );
}

type Open = { readonly what: 'rename' | 'change' | 'delete'; readonly answer: Answer<AclPermissionGroup> };

function Group({ answer }: { answer: Answer<AclPermissionGroup> }) {
  const { can, partner } = useAccess();
  const navigate = useNavigate();
  // What is edited stays as it was opened, also when somebody else saves meanwhile.
  const [open, setOpen] = useState<Open | null>(null);
  const group = answer.data;
  const isCustom = group.type === 'custom';
  const close = () => setOpen(null);
  const isChanging = open?.what === 'change';
  const [hasChanged, setChanged] = useState(false);
  function begin(what: Open['what']) {
    setOpen({ what, answer });
    if (what === 'change') setChanged(true);
  }
  const button = (what: Open['what'], label: string, method: 'patch' | 'delete') =>
    isCustom &&
    can('acl_permission_groups', method) && (
      <Button look={what === 'delete' ? 'plain' : 'secondary'} onClick={() => begin(what)}>
        {label}
      </Button>
    );
  return (
    <Page
      title={group.name}
      above={
        <Link to="/p/$partner/groups" params={{ partner }}>
          Groups
        </Link>
      }
      beside={<Soft>{groupTypes[group.type]}</Soft>}
      about={
        isCustom
          ? undefined
          : 'This group comes with Concord. It is the same for every partner, and nobody can change it.'
      }
      action={
        <>
          {button('rename', 'Rename', 'patch')}
          {button('delete', 'Delete', 'delete')}
        </>
      }
    >
      <Section
        title="What it grants"
        action={!isChanging && button('change', 'Change what it grants', 'patch')}
      >
        <Part
          key={String(isChanging)}
          label={isChanging ? 'Change what it grants' : 'What it grants'}
          isLater={hasChanged}
        >
          {open?.what === 'change' ? (
            <ChangeGroup opened={open.answer} onClose={close} />
          ) : (
            <Grants group={group} />
          )}
        </Part>
      </Section>
      <Carriers group={group} />
      {isCustom && can('audit_log', 'query') && <History target={group.id} />}
      {open?.what === 'rename' && <RenameGroup opened={open.answer} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteGroup
          group={group}
          onClose={close}
          onGone={() => navigate({ to: '/p/$partner/groups', params: { partner } })}
        />
      )}
    </Page>
  );
}

function Grants({ group: { name, acl_permissions } }: { group: AclPermissionGroup }) {
  return (
    <PermissionMatrix
      label={`What ${name} grants`}
      explain={(resource, method) => {
        const isAllowed = holds(acl_permissions, resource, method);
        return {
          isAllowed,
          why: isAllowed
            ? holds(acl_permissions, '*', method)
              ? 'The group grants it for everything, also for what is added later.'
              : 'The group grants it.'
            : 'The group does not grant it. People with this group can have it in another way.',
        };
      }}
    />
  );
}

type Props = { opened: Answer<AclPermissionGroup>; onClose: () => void };

function RenameGroup({ opened, onClose }: Props) {
  const partner = usePartner();
  return (
    <FormDialog
      title={`Rename ${opened.data.name}`}
      onClose={onClose}
      submit="Rename the group"
      explain={groupProblems}
      onSubmit={(values) => saveGroup({ partner, opened, mine: { name: values.text('name') } })}
    >
      <TextField
        name="name"
        label="Name"
        defaultValue={opened.data.name}
        required
        maxLength={100}
        autoFocus
      />
    </FormDialog>
  );
}
