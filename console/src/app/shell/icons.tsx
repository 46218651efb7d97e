// The icons of the pages in the rail.
import { icon } from '#ui/icons.tsx';

export const HomeIcon = icon('M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5');
export const OverviewIcon = icon('M2.5 13.5h11M4 11V8m4 3V3.5M12 11V6');
export const ProfileIcon = icon('M3 13.5v-10h6v10m0-7h4v7m-11.5 0h13M5.5 6h1m-1 3h1');
export const PeopleIcon = icon('M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-5 5.5c0-2.5 2-4 5-4s5 1.5 5 4');
export const GroupsIcon = icon('m8 2.5 5.5 3L8 8.5l-5.5-3Zm-5.5 6 5.5 3 5.5-3m-11 2.5 5.5 3 5.5-3');
export const ProgramIcon = icon('M2.5 3.5h11v9h-11Zm2.5 3 2 1.5-2 1.5m3.5 0H11');
export const LogIcon = icon('M3 4h10M3 8h10M3 12h6');
export const EndpointIcon = icon('M2.5 8h7m-3-3 3 3-3 3m4-8h3v10h-3');
export const DeliveryIcon = icon('m2.5 8 11-5-4 10.5-2-4Z');
export const EventIcon = icon('M8.5 2 4 9h4l-.5 5L12 7H8Z');
export const SchemaIcon = icon(
  'M6 3c-2 0-2 1-2 2.5S4 8 2.5 8C4 8 4 9 4 10.5S4 13 6 13m4-10c2 0 2 1 2 2.5S12 8 13.5 8C12 8 12 9 12 10.5S12 13 10 13',
);
export const VerifyIcon = icon('M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4ZM6 8l1.5 1.5L10.5 6.5');
export const StartIcon = icon('m5 3 7.5 5L5 13Z');
export const KeyIcon = icon('M5.5 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm2-4 5.5-5.5m-2 2 1.5 1.5');
export const LinkIcon = icon(
  'm6.5 9.5 3-3M7.5 5l1-1a2.47 2.47 0 0 1 3.5 3.5l-1 1M8.5 11l-1 1A2.47 2.47 0 0 1 4 8.5l1-1',
);
export const ReviewIcon = icon('M5 3.5H3.5v10h9v-10H11M5.5 2.5h5v2h-5Zm.5 6.5 1.5 1.5L10.5 7');
export const SystemIcon = icon('M2.5 3h11v4h-11Zm0 6h11v4h-11ZM5 5h.01M5 11h.01');
