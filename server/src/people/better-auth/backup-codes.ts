// Backup codes of users whose second factors are passkeys.
import { generateRandomString, symmetricEncrypt } from 'better-auth/crypto';
import type { Auth } from './better-auth.ts';

/** `sealed`: for the row of a user whose second factors are passkeys. */
export type NewBackupCodes = { backupCodes: string[]; sealed: { backupCodes: string; secret: string } };
const amount = 10;

/**
 * Backup codes in the form of better-auth, which checks them. Nobody learns the secret, so no app has codes of it.
 */
export async function newBackupCodes(auth: Auth): Promise<NewBackupCodes> {
  const { secretConfig: key } = await auth.$context;
  const seal = (data: string) => symmetricEncrypt({ key, data });
  const half = () => generateRandomString(5, 'a-z', '0-9', 'A-Z');
  const codes = Array.from({ length: amount }, () => `${half()}-${half()}`);
  return {
    backupCodes: codes,
    sealed: { backupCodes: await seal(JSON.stringify(codes)), secret: await seal(generateRandomString(32)) },
  };
}
