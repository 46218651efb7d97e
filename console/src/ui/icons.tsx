// The few icons of the console. Each stands beside a word or in a button with a label, so none is read aloud.
import type { ReactNode } from 'react';

export const icon = (children: ReactNode) =>
  function Icon({ className }: { className?: string | undefined }) {
    return (
      <svg
        className={className}
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {children}
      </svg>
    );
  };

export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-1A1.5 1.5 0 0 0 9 3H4a1.5 1.5 0 0 0-1.5 1.5V9A1.5 1.5 0 0 0 4 10.5h1.5" />
  </>,
);
export const CheckIcon = icon(<path d="m3 8.5 3.5 3.5L13 4.5" />);
export const CrossIcon = icon(<path d="m4 4 8 8m0-8-8 8" />);
export const MoreIcon = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />);
export const DownIcon = icon(<path d="m4 6.5 4 4 4-4" />);
export const UpIcon = icon(<path d="m4 9.5 4-4 4 4" />);
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.5 10.5 3 3" />
  </>,
);
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
