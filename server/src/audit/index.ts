// The door of the audit log.
export { createDenials, type Denials } from './denials.ts';
export { type Actor, type AuditEntry, recordAction, systemActor } from './store.ts';
