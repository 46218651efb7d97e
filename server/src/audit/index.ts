// The door of the audit log.
export { createDenials, type Denials } from './denials.ts';
export { type Actor, type AuditEntry, commandActor, recordAction, recordForPartners, systemActor } from './store.ts';
