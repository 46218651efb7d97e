// Agreements of a list as JSON. A group is written once, because a thousand agreements can carry the same fifty.
import type { Static, TSchema } from 'typebox';
import { createAttached } from '../base/attached.ts';
import { serializer } from '../base/http/serialization.ts';
import type { Agreement, PermissionGroup } from './agreement.ts';
import { AclPermissionGroup } from './schema.ts';

const groupToJson = serializer(AclPermissionGroup);
const written = createAttached<PermissionGroup, string>();

function writeGroup(group: PermissionGroup) {
  const json = written.get(group) ?? groupToJson(group);
  written.set(group, json);
  return json;
}

/** By the schema of an agreement, which can have more members. */
export function listedJson<S extends TSchema>(schema: S): (item: Static<S> & Agreement) => string {
  const toJson = serializer(schema);
  return (item) => {
    if (item.acl_permission_groups.length === 0) return toJson(item);
    const groups = item.acl_permission_groups.map(writeGroup).join(',');
    // Quotes in texts are escaped, so only the member looks like this.
    return toJson({ ...item, acl_permission_groups: [] }).replace(
      '"acl_permission_groups":[]',
      () => `"acl_permission_groups":[${groups}]`,
    );
  };
}
