// The entry point of access: credentials, access rules, the builder of routes, and what callers reach.
export { type Access, createAccess } from './access.ts';
export {
  accessTokenOf,
  hashSessionToken,
  type NewAccessToken,
  newAccessToken,
  newProvisioningToken,
  readBearer,
  readProvisioningBearer,
} from './bearer.ts';
export type { Caller, Granted } from './grants.ts';
export { createGuesses, type Guesses } from './guesses.ts';
export { createReadFactsOfMany, type FactsOfPair } from './many/many.ts';
export { createReachOf, type Reach, type ReachOf } from './reach.ts';
export { partnerOnly, type Read } from './read.ts';
export { createRoutes } from './routes.ts';
export type { AccessRule } from './rules.ts';
export * as sessions from './sessions/store.ts';
export {
  glassEnd,
  groupIds,
  isLive,
  lockPartner,
  proofAge,
  readOf,
  type StoredTemporary,
  selectPartnersOf,
  temporaryGrants,
  toTemporary,
} from './store.ts';
