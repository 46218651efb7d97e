// The door of partners.
export { createPartners, purgeDeletedPartners } from './partners.ts';
export { registerPartnerRoutes } from './routes.ts';
