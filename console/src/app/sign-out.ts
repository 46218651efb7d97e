// Ends the session, and forgets what the person left in this tab.
import { signOut } from '@concord/client';
import { forgetVisit } from '#api/return-path.ts';
import { type ForClient, useWrite } from '#api/write.ts';
import { dropDrafts } from '#ui/form/unsaved.ts';
import { isSignedOut } from './me.ts';
import { forgetPartner } from './shell/kept.ts';

async function signOutOfTab({ client }: ForClient): Promise<true> {
  try {
    await signOut({ client });
  } catch (error) {
    // As after a sign-out whose answer was lost.
    if (!isSignedOut(error)) throw error;
  } finally {
    forgetPartner();
    dropDrafts();
    forgetVisit();
  }
  return true;
}

const explain = {
  answer_lost: 'Concord does not answer, so you may still be signed in. Sign out again when it does.',
};

/** `signOut` is true once there is no session. */
export function useSignOut(): { readonly isRunning: boolean; readonly signOut: () => Promise<boolean> } {
  const { isRunning, run } = useWrite();
  return {
    isRunning,
    signOut: async () => (await run(signOutOfTab, {}, { keepsCache: true, explain })) === true,
  };
}
