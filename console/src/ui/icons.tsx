// The few icons of the console. Each stands beside a word or in a button with a label, so none is read aloud.

/** `path`: what is drawn, in a square of 16. */
export const icon = (path: string, strokeWidth = '1.5') =>
  function Icon() {
    return (
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
    );
  };

export const CopyIcon = icon(
  'M10.5 5.5v-1A1.5 1.5 0 0 0 9 3H4a1.5 1.5 0 0 0-1.5 1.5V9A1.5 1.5 0 0 0 4 10.5h1.5M7 5.5h5A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5Z',
);
export const CheckIcon = icon('m3 8.5 3.5 3.5L13 4.5');
export const CrossIcon = icon('m4 4 8 8m0-8-8 8');
export const MoreIcon = icon('M3.5 8h.01M8 8h.01M12.5 8h.01', '2');
export const DownIcon = icon('m4 6.5 4 4 4-4');
export const UpIcon = icon('m4 9.5 4-4 4 4');
export const SearchIcon = icon('m10.5 10.5 3 3M2.75 7a4.25 4.25 0 1 0 8.5 0 4.25 4.25 0 1 0-8.5 0');
export const MenuIcon = icon('M2.5 4.5h11M2.5 8h11M2.5 11.5h11');
