// What the parameters of paths name, for the description.
import { type TObject, Type } from 'typebox';
import { PathId } from '../base/http/schemas.ts';

/** What each parameter of a path names. `id` is that of the segment before it. */
const nouns: Readonly<Record<string, string>> = {
  partners: 'The partner',
  passkeys: 'The passkey',
  users: 'The user',
  access_request_id: 'The access request',
  agreement_id: 'The agreement',
  checkpoint_id: 'The checkpoint',
  connection_id: 'The identity connection',
  delivery_id: 'The delivery',
  domain_id: 'The domain',
  endpoint_id: 'The endpoint',
  event_id: 'The event',
  group_id: 'The permission group',
  kid: 'The kid of the key',
  number: 'The number of the attempt',
  provider: 'The provider',
  provisioned_group_id: 'The group of the directory',
  record_id: 'The record',
  replay_id: 'The replay',
  review_id: 'The access review',
  service_account_id: 'The service account',
  session_id: 'The session',
  token: 'The end of the URL',
  token_id: 'The access token',
};

export function paramsOf(path: string): TObject | null {
  const segments = path.split('/');
  const names = segments.flatMap((segment, index) => {
    if (!segment.startsWith(':')) return [];
    const name = segment.slice(1);
    const noun = nouns[name === 'id' ? (segments[index - 1] ?? '') : name];
    if (noun === undefined) throw new Error(`${path}: access/path-parameters.ts has no noun for ${segment}`);
    return [[name, PathId(noun)] as const];
  });
  return names.length === 0 ? null : Type.Object(Object.fromEntries(names));
}
