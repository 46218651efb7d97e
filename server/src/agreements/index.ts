// The door of agreements: so far the one access read.
export { type Access, createAccess, declareAccess, grantedTo, type Read } from './access.ts';
