// How the person can prove the second factor: of the session, or of the sign-in that waits; and whether an agreement
// needs it.
import { beginSecondFactor, type Me, type PasskeyRequest } from '@concord/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '#api/client.ts';
import { stepUpQuestion } from '#api/questions.ts';
import { canUsePasskeys } from '../passkeys/can-use.ts';

export type Ways = { readonly app: boolean; readonly passkey: boolean };

/** Null: not read yet. */
export function useWays({ enabled }: { enabled: boolean }): Ways | null {
  const ways = useQuery({
    queryKey: ['ways of the second factor'],
    queryFn: async (): Promise<Ways> => {
      const { app, passkey } = await beginSecondFactor({ client, body: {} });
      return { app, passkey: passkey !== undefined && canUsePasskeys() };
    },
    enabled,
    gcTime: 0,
  });
  // The form then says what is wrong.
  if (ways.error !== null) return { app: true, passkey: false };
  return ways.data ?? null;
}

/** A new challenge. @throws Error when the user has no passkey any more */
export async function askForPasskey(): Promise<PasskeyRequest> {
  const { passkey } = await beginSecondFactor({ client, body: {} });
  if (passkey === undefined) throw new Error('There is no passkey any more');
  return passkey;
}

type Terms = { readonly mfa_required: boolean };

/** The person sets one up before they accept. Operators are not bound by it (A22). */
export const needsFactor = ({ mfa_required }: Terms, { two_factor_enabled, role }: Me): boolean =>
  mfa_required && !two_factor_enabled && role !== 'operator';

/** The agreement wants it in this session, not only in the account. False: the person closed the question. */
export const proveFactor = async ({ mfa_required }: Terms, { two_factor_enabled, credential }: Me) =>
  !mfa_required || !two_factor_enabled || credential.second_factor_proven || stepUpQuestion.ask();
