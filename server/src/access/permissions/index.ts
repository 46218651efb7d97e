// The entry point of permissions: the vocabulary, sets of grants, and the access decision. No SQL, no HTTP.
export {
  type AccessFacts,
  type Decision,
  decide,
  decideAsMember,
  decideAsOperator,
  decideAsOwner,
  decideInSession,
  decideOnOwnAgreements,
  decideOnPlatform,
  decideSignedIn,
  enforce,
  grantOf,
  type OwnRight,
  refusalOf,
} from './decide.ts';
export {
  addedGrants,
  covers,
  effectOfGroup,
  everything,
  type Grant,
  heldUntilMs,
  holds,
  toAclPermission,
} from './grants.ts';
export {
  AclPermission as AclPermissionSchema,
  AclPermissions,
  inWireOrder,
  requireDistinct,
} from './schema.ts';
export {
  type AclPermission,
  type Credential,
  type Membership,
  type Method,
  methodNames,
  methods,
  type Permission,
  type Principal,
  resourceNames,
  resources,
  type TemporaryGrant,
} from './vocabulary.ts';
