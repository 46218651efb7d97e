// The door of agreements: access to partners, agreements, permission groups and service accounts.
export type { Read } from './access.ts';
export { type Access, createAccess, declareAccess, type Granted, grantedIfAny, grantedTo } from './admission.ts';
export { createAgreements } from './agreements.ts';
export { registerGroupRoutes } from './group-routes.ts';
export { createInviteByMail, oneLine } from './invitation-mail.ts';
export { createPermissionGroups } from './permission-groups.ts';
export { registerAgreementRoutes } from './routes.ts';
export { createServiceAccounts } from './service-accounts.ts';
export { registerServiceAccountRoutes } from './service-routes.ts';
export { membershipRead, ownersOf } from './store.ts';
export { createVisiblePartners, type VisiblePartners } from './visible-partners.ts';
