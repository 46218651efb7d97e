// The entry point of egress: where a webhook may go, and the guarded connection to it.
export { type ClientCertificate, isUsable, type KeyPair } from './client-certificates.ts';
export { anywhere, createDestinations, DestinationError, type Destinations } from './destinations.ts';
export type { Outcome } from './exchange.ts';
export { createGuardedFetch, type GuardedFetch, UnreachableError } from './guarded-fetch.ts';
export { createLookups, type LookUp } from './lookups.ts';
export { createSend, type Send } from './send.ts';
