// Which partner the sections belong to. The button opens a dialog that finds another one.
import { getPartner } from '@concord/client';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '#api/read.ts';
import { DownIcon } from '#ui/icons.tsx';
import { useAccess } from '../session.ts';
import css from './switcher.module.css';

const PartnerDialog = lazy(async () => ({ default: (await import('./partner-dialog.tsx')).PartnerDialog }));

export function PartnerSwitcher({ partnerId }: { partnerId: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const { can, agreement } = useAccess(partnerId ?? '');
  // A request without the permission would be recorded as denied.
  const isReadable = partnerId !== null && can('partner', 'get');
  const current = useRead(getPartner, { path: { id: partnerId ?? '' } }, { enabled: isReadable });
  const name =
    partnerId === null
      ? 'Choose a partner'
      : (current.data?.data.name ?? agreement?.partner.name ?? 'Partner');
  return (
    <>
      <button type="button" className={css.trigger} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span>{name}</span>
        <DownIcon />
      </button>
      {isOpen && (
        <Suspense>
          <PartnerDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
