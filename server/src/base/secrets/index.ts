// The entry point of secrets.
export { createEncryption, deriveKey, type Encryption, isSameSecret } from './encryption.ts';
export { hasSecrets, keepSecrets, loadSecrets, requireSecrets } from './secrets.ts';
export { selectChecks } from './store.ts';
