// The entry point of permissions: the vocabulary, sets of grants, and the access decision. No SQL, no HTTP.
export * from './decide.ts';
export * from './grants.ts';
export {
  AclPermission as AclPermissionSchema,
  AclPermissions,
  inWireOrder,
  requireDistinct,
} from './schema.ts';
export * from './vocabulary.ts';
