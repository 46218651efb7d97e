// The door of the audit log.
export { type Actor, type AuditEntry, recordAction } from './audit-log.ts';
export { createDenials, type Denials } from './denials.ts';
