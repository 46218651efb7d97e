// Device authorization (RFC 8628) as programs ask for it, and people answer.
import { beforeAll } from 'vitest';
import { acl, type Cast, type Player, succeed } from '../stage/cast.ts';
import { postForm } from '../stage/post-form.ts';
import type { Response, TestService } from '../stage/start-service.ts';

export const client_id = 'concord-cli';
export const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
type Form = Record<string, string> | string[][];

export const errorOf = async (answer: PromiseLike<Response>) => {
  const { status, body } = await answer;
  return [status, body.error];
};
export const pathOf = (code: string) => `/me/device-authorizations/${encodeURIComponent(code)}`;

export function useDeviceStage(service: TestService, cast: Cast) {
  /** An owner of the partner, who approves unless a test names somebody else. */
  const ann = {} as Player & { partner: string };
  beforeAll(async () => {
    const partner = await cast.partner();
    Object.assign(ann, await cast.owner(partner), { partner });
  });
  const ask = (form: Form, headers = {}) => postForm(service, '/oauth/device_authorization', form, headers);
  return {
    ann,
    ask,
    begin: async (more = {}, headers = {}) => succeed(await ask({ client_id, ...more }, headers)),
    fetchToken: (device_code: string, more = {}) =>
      postForm(service, '/oauth/token', { grant_type, device_code, client_id, ...more }),
    look: (code: string, token = ann.token) => service.get(pathOf(code), token),
    approve: (code: string, token = ann.token, more = {}) =>
      service.post(
        `${pathOf(code)}/approve`,
        { name: 'laptop', scopes: [acl('partner', 'get')], ...more },
        token,
      ),
    deny: (code: string, token = ann.token) => service.post(`${pathOf(code)}/deny`, undefined, token),
  };
}
