// Passkeys in the browser: makes one, and signs with one.
import {
  type AddPasskey,
  ConcordError,
  type PasskeyCreation,
  type PasskeyProof,
  type PasskeyRequest,
} from '@concord/client';
import { passkeyProblems, unknownPasskeyProblem } from '#messages/passkeys.ts';
import { canUsePasskeys } from './can-use.ts';

/** Few pages need it. */
const library = () => import('@simplewebauthn/browser');

export async function makePasskey({
  sealedChallenge,
  publicKey,
}: PasskeyCreation): Promise<Omit<AddPasskey, 'name'>> {
  const { startRegistration } = await library();
  const credential = await startRegistration({ optionsJSON: publicKey });
  return { sealedChallenge, credential: credential as AddPasskey['credential'] };
}

/** `fromAutofill`: the browser offers passkeys in the field of the address, and this waits until one is chosen. */
export async function signWithPasskey(
  { sealedChallenge, publicKey }: PasskeyRequest,
  { fromAutofill = false } = {},
): Promise<PasskeyProof> {
  const { startAuthentication } = await library();
  const credential = await startAuthentication({
    optionsJSON: publicKey as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    useBrowserAutofill: fromAutofill,
  });
  return { sealedChallenge, credential: credential as PasskeyProof['credential'] };
}

export const canAutofill = async (): Promise<boolean> =>
  canUsePasskeys() && (await library()).browserSupportsWebAuthnAutofill();

/** Ends what waits for the autofill. */
export const stopWaiting = async (): Promise<void> => (await library()).WebAuthnAbortService.cancelCeremony();

/** What to say about a failure. */
export function describeProblem(error: unknown): string {
  if (error instanceof ConcordError) return passkeyProblems[error.code] ?? error.message;
  return passkeyProblems[(error as Error).name] ?? unknownPasskeyProblem;
}

/** The model of the authenticator that made a passkey. */
export function aaguidOf({ response: { authenticatorData = '' } }: AddPasskey['credential']): string {
  const bytes = atob(authenticatorData.replaceAll('-', '+').replaceAll('_', '/')).slice(37, 53);
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
