// The door of secrets.
export { createSealer, deriveKey, type Sealer } from './sealer.ts';
export { hasSecrets, keepSecrets, loadSecrets, requireSecrets } from './secrets.ts';
export { selectChecks } from './store.ts';
