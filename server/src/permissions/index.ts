// The door of permissions: the vocabulary and the one decision. No SQL, no HTTP.
export { type Decision, decide, decideOnPlatform, decideSignedIn, enforce, type Standing } from './decide.ts';
export type { Permission, Principal } from './vocabulary.ts';
