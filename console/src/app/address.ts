// What the address of the page says.
import { useParams, useSearch } from '@tanstack/react-router';

type Name =
  | 'partner'
  | 'account'
  | 'agreement'
  | 'checkpoint'
  | 'connection'
  | 'delivery'
  | 'endpoint'
  | 'event'
  | 'group'
  | 'name'
  | 'record'
  | 'review'
  | 'user';

/** What its path names, on pages whose path does. */
export const usePath = () => useParams({ strict: false }) as Readonly<Record<Name, string>>;
/** The partner whose page is open. */
export const usePartner = (): string => usePath().partner;
/** What its query asks for. */
export const useAsked = () => useSearch({ strict: false }) as Readonly<Partial<Record<string, string>>>;
