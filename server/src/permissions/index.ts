// The door of permissions: the vocabulary and the one decision. No SQL, no HTTP.
export { decide, decideOnPlatform, enforce } from './decide.ts';
export type { Permission, Principal } from './vocabulary.ts';
