// The door of partners.
export { createPartners, createPurge } from './partners.ts';
export { registerPartnerRoutes } from './routes.ts';
