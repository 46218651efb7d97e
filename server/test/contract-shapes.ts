// The shapes of answers: closed schemas written by hand from the interface.
export * from './contract-shapes/accounts.ts';
export * from './contract-shapes/basics.ts';
export * from './contract-shapes/errors.ts';
export * from './contract-shapes/identity.ts';
export * from './contract-shapes/partners.ts';
export * from './contract-shapes/platform.ts';
export * from './contract-shapes/provisioning.ts';
export * from './contract-shapes/webhooks.ts';
