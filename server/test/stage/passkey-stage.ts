// People with passkeys, enrolled over HTTP with a software authenticator.
import { createAuthenticator } from './authenticator.ts';
import { succeed } from './cast.ts';
import { password } from './enrolment.ts';
import type { TestService } from './start-service.ts';

type Wrong = Parameters<ReturnType<typeof createAuthenticator>['get']>[1];

export function createPasskeyStage(service: TestService) {
  const post = (path: string, token: string | null, body: object = {}) =>
    service.request('POST', `/api/auth/${path}`, { token, body });
  const forget = () => service.sql('delete from guard_count');

  /** Adds a passkey in a session. The answer can be a refusal. */
  async function add(
    token: string,
    authenticator = createAuthenticator(),
    wrong: Wrong = {},
    name = 'Laptop',
  ) {
    const { sealedChallenge, publicKey } = succeed(await post('passkeys/options', token));
    const credential = authenticator.create(publicKey, wrong);
    return post('passkeys', token, { name, sealedChallenge, credential });
  }

  /** A new user whose only second factor is a passkey. */
  async function enrol(authenticator = createAuthenticator()) {
    await forget();
    const person = await service.signInStranger();
    const { passkey, backupCodes, token } = succeed(await add(person.token, authenticator));
    const challenge = async (): Promise<string> =>
      succeed(await post('sign-in/email', null, { email: person.email, password })).twoFactorToken;
    return {
      ...person,
      authenticator,
      token: token as string,
      passkey,
      backupCodes: backupCodes as string[],
      challenge,
    };
  }

  /** The body of a sign-in with a passkey alone. */
  async function alone(authenticator: ReturnType<typeof createAuthenticator>, wrong: Wrong = {}) {
    const { sealedChallenge, publicKey } = succeed(await post('passkey/sign-in/options', null));
    return { sealedChallenge, credential: authenticator.get(publicKey, wrong) };
  }

  /** A proof of the second factor, for a sign-in that waits or for a session. */
  async function second(
    authenticator: ReturnType<typeof createAuthenticator>,
    { twoFactorToken, token = null }: { twoFactorToken?: string; token?: string | null },
    wrong: Wrong = {},
  ) {
    const { passkey } = succeed(
      await post('two-factor/options', token, twoFactorToken === undefined ? {} : { twoFactorToken }),
    );
    return {
      sealedChallenge: passkey.sealedChallenge,
      credential: authenticator.get(passkey.publicKey, wrong),
    };
  }

  return { post, forget, add, enrol, alone, second };
}
