// The door of signing keys.
export { registerSigningKeyRoutes } from './routes.ts';
export { type Environment, environments } from './signing-key.ts';
export { createSigningKeys, type SignsWith } from './signing-keys.ts';
