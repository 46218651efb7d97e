// The entry point of the audit log.
export { type Actor, actorKinds, commandActor, credentialKinds, systemActor } from './actor.ts';
export { type Changes, changesBetween, secretChange, splitChanges } from './changes.ts';
export { createDenials, type Denials } from './denials.ts';
export {
  type AuditFilter,
  type AuditRow,
  type RowAbout,
  selectAuditRows,
  selectRowsAbout,
} from './log/store.ts';
export { createSealKeys } from './seals/seal.ts';
export { createAuditTasks } from './seals/sealing.ts';
export { selectSealDelay } from './seals/store.ts';
export { verifyLog } from './seals/verify.ts';
export { type AuditEntry, erasePersonal, outcomes, recordAction, recordForPartners } from './store.ts';
