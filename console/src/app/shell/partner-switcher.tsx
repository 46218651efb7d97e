// Which partner the sections belong to. Typing finds another one.

import { Combobox } from '@base-ui/react/combobox';
import { getPartner, listPartners } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useRead } from '../../api/read.ts';
import { DownIcon } from '../../ui/icons.tsx';
import css from './switcher.module.css';

type Item = { readonly id: string; readonly name: string };

export function PartnerSwitcher({ partnerId }: { partnerId: string | null }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const typed = useDeferredValue(text.trim());
  const current = useRead(getPartner, { path: { id: partnerId ?? '' } }, { enabled: partnerId !== null });
  const found = useRead(
    listPartners,
    { query: { page_size: 20, sort_by: 'name', ...(typed !== '' && { 'filter[name]': typed }) } },
    { enabled: isOpen },
  );
  const items: readonly Item[] = found.data?.data ?? [];
  const name = partnerId === null ? 'Choose a partner' : (current.data?.data.name ?? 'Partner');
  return (
    <Combobox.Root
      items={items}
      filter={null}
      open={isOpen}
      onOpenChange={setOpen}
      inputValue={text}
      onInputValueChange={setText}
      value={null}
      itemToStringLabel={(item: Item) => item.name}
      onValueChange={(item: Item | null) => {
        if (item === null) return;
        setText('');
        void navigate({ to: '/p/$partner', params: { partner: item.id } });
      }}
    >
      <Combobox.Trigger className={css.trigger} aria-label={`Partner: ${name}. Choose another`}>
        <span>{name}</span>
        <DownIcon />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4}>
          <Combobox.Popup className={css.popup} aria-label="Partners">
            <Combobox.Input className={css.input} placeholder="Type to find" aria-label="Find a partner by name" />
            <Combobox.Empty className={css.empty}>{found.isPending ? 'Loading…' : 'No partner has such a name.'}</Combobox.Empty>
            <Combobox.List className={css.list}>
              {(item: Item) => (
                <Combobox.Item key={item.id} value={item} className={css.item}>
                  {item.name}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
