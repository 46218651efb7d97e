// Users with a second factor, enrolled over HTTP with an authenticator app that is not better-auth's.
import * as OTPAuth from 'otpauth';
import { expect } from 'vitest';
import { times } from './cast.ts';
import { holdHashes, releaseHashes } from './scrypt.ts';
import { operator, type Response, type TestService } from './start-service.ts';

/** The password of every user in the tests. */
export const password = operator.password;
export const errorCodeOf = async (answer: PromiseLike<Response>) => (await answer).body?.code;

export function createEnrolment(service: TestService) {
  const post = (path: string, token: string | null, body: object, headers = {}) =>
    service.request('POST', `/api/auth/${path}`, { token, body, headers });
  /** Clears every count that guards a secret. */
  const forget = () => service.sql('delete from guard_count');

  async function start(token: string) {
    const { body } = await post('two-factor/enable', token, { password });
    return OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP;
  }
  const codesOf = (totp: OTPAuth.TOTP) => (steps: number) =>
    totp.generate({ timestamp: Date.now() + steps * 30_000 });

  /** With the code of the step before this one. A new step can begin on the way, so it tries twice. */
  async function prove(token: string, code: (steps: number) => string): Promise<Response> {
    const verify = () => post('two-factor/verify-totp', token, { code: code(-1) });
    const answer = await verify();
    return answer.body?.code === 'invalid_code' ? verify() : answer;
  }

  /**
   * Enables the second factor of the signed-in user. Returns the codes of the steps around now; -1 is used.
   */
  async function enable(token: string) {
    const code = codesOf(await start(token));
    await prove(token, code);
    return code;
  }

  /** A new user with the second factor enabled. */
  async function enrol(byPassword = false) {
    await forget();
    const { id, email, token: first } = await service.signInStranger(byPassword);
    const totp = await start(first);
    const code = codesOf(totp);
    const enabled = await prove(first, code);
    const challenge = async (): Promise<string> =>
      (await post('sign-in/email', null, { email, password })).body.twoFactorToken;
    return { id, email, token: enabled.body.token as string, code, challenge, secret: totp.secret.base32 };
  }

  /** A user with a password, signed in. */
  async function person() {
    await forget();
    return service.signInStranger();
  }

  return { post, forget, person, enrol, enable };
}

/**
 * Sends requests with passwords from one address, and waits until its line is full (L3): of the first address two are
 * hashed, 20 of each wait, and the others are refused. No hash ends before `end`, whose result are all answers.
 */
export async function fillLine(count: number, send: (index: number) => Promise<Response>, places = 22) {
  holdHashes();
  const refused: Response[] = [];
  const answers = times(count, async (index) => {
    const answer = await send(index);
    if (answer.status === 429) refused.push(answer);
    return answer;
  });
  await expect.poll(() => refused.length).toBe(count - places);
  return {
    refused,
    end() {
      releaseHashes();
      return Promise.all(answers);
    },
  };
}
