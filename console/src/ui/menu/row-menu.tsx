// The actions of a row, in a menu at its end.
import { Menu } from '@base-ui/react/menu';
import { IconButton } from '../button/button.tsx';
import { MoreIcon } from '../icons.tsx';
import css from './menu.module.css';

export type Action = {
  /** Says what it does: "Resend the invitation". */
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDangerous?: boolean;
  /** Why it cannot be done now. The action stays, with the reason. */
  readonly disabledBecause?: string | undefined;
};

/** `of`: the thing, for those who hear the page: "Actions of Ann Lee". Without actions there is no menu. */
export function RowMenu({ of, actions }: { of: string; actions: readonly Action[] }) {
  if (actions.length === 0) return null;
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <IconButton label={`Actions of ${of}`}>
            <MoreIcon />
          </IconButton>
        }
      />
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4}>
          <Menu.Popup className={css.popup}>
            {actions.map(({ label, onSelect, isDangerous, disabledBecause }) => (
              <Menu.Item
                key={label}
                disabled={disabledBecause !== undefined}
                onClick={onSelect}
                className={css.item}
                data-dangerous={isDangerous || undefined}
              >
                {label}
                {disabledBecause !== undefined && <span className={css.reason}>{disabledBecause}</span>}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
