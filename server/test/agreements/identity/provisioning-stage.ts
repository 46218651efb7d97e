// A service with a company whose directory provisions people.

import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { acl, createCast, succeed } from '../../stage/cast.ts';
import { type Company, createCompany } from '../../stage/connection-stage.ts';
import type { TestService } from '../../stage/start-service.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export type Person = { id: string; userName: string; active: boolean; meta: { version: string } };
export type Directory = Awaited<ReturnType<typeof createDirectory>>;

/** Creates a directory before the tests of the file. */
export function useDirectory(service: TestService): Directory {
  const directory = {} as Directory;
  beforeAll(async () => void Object.assign(directory, await createDirectory(service)));
  afterAll(() => directory.oidc.close());
  return directory;
}

/** Creates a directory for one test. */
export async function openDirectory(service: TestService): Promise<Directory> {
  const directory = await createDirectory(service);
  onTestFinished(directory.oidc.close);
  return directory;
}

export async function error(answer: PromiseLike<{ status: number; body: { scimType?: string } }>) {
  const { status, body } = await answer;
  return [status, body.scimType];
}

/** Without the checks of foreign keys, which take most of the time of many memberships. */
export async function insertUnchecked({ sql }: TestService, ...statement: Parameters<TestService['sql']>) {
  await sql('set session_replication_role = replica');
  await sql(...statement).finally(() => sql('set session_replication_role = origin'));
}

/** The directory of a company, with the token of its connection. */
async function createDirectory(service: TestService, company?: Company) {
  const of = company ?? (await createCompany(service));
  const path = `/partners/${of.partner}/connections/${of.connection}`;
  const { token } = succeed(await service.post(`${path}/provisioning-token`, {}, of.owner.token));
  let count = 0;
  const send = (method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, `/scim/v2${at}`, {
      token,
      body,
      headers: { 'content-type': 'application/scim+json', ...headers },
    });
  const newAddress = () => `person${++count}@${of.domain}`;
  const createUser = (more: object = {}) =>
    send('POST', '/Users', { schemas: [userSchema], userName: newAddress(), ...more });
  const agreementOf = async (email: string) => {
    const listed = await service.get(`/partners/${of.partner}/agreements?filter[email]=${email}`);
    return succeed(listed)[0];
  };
  return {
    ...of,
    path,
    token,
    send,
    newAddress,
    get: (at: string, headers?: Record<string, string>) => send('GET', at, undefined, headers),
    patch: (at: string, ...operations: object[]) =>
      send('PATCH', at, { schemas: [patchSchema], Operations: operations }),
    createUser,
    provision: async (more: object = {}): Promise<Person> => succeed(await createUser(more)),
    createGroup: (displayName: string, users: readonly { id: string }[] = []) =>
      send('POST', '/Groups', {
        schemas: [groupSchema],
        displayName,
        members: users.map(({ id }) => ({ value: id })),
      }),
    agreementOf,
    groupsOf: async ({ userName }: { userName: string }): Promise<string[]> =>
      (await agreementOf(userName)).acl_permission_group_ids,
    newGroup: (name: string) => createCast(service).group(of.partner, [acl('deliveries')], name),
    /** Gives a permission group to the members of a group of the directory. */
    map: (id: string, acl_permission_group_id: string | null, bearer = of.owner.token) =>
      service.put(`${path}/provisioned-groups/${id}`, { acl_permission_group_id }, bearer),
  };
}
