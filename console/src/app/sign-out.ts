// Ends the session, and forgets what the person left in this tab.
import { signOut } from '@concord/client';
import { forgetVisit } from '#api/return-path.ts';
import type { ForClient } from '#api/write.ts';
import { dropDrafts } from '#ui/form/unsaved.ts';
import { forgetPartner } from './shell/kept.ts';

export async function signOutOfTab({ client }: ForClient): Promise<void> {
  try {
    await signOut({ client });
  } finally {
    forgetPartner();
    dropDrafts();
    forgetVisit();
  }
}
