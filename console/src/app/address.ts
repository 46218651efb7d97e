// What the address of the page says.
import { useParams, useSearch } from '@tanstack/react-router';

const useNames = () => useParams({ strict: false });
/** What its path names, on pages whose path does. */
export const usePath = () => useNames() as Required<ReturnType<typeof useNames>>;
/** The partner whose page is open. */
export const usePartner = (): string => usePath().partner;
/** What its query asks for. */
export const useAsked = () => useSearch({ strict: false });
