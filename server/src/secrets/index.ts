// The door of secrets.
export { createSealer, deriveKey, type Sealer } from './sealer.ts';
export { loadSecrets, verifySecrets } from './secrets.ts';
