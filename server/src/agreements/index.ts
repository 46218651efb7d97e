// The door of agreements: so far the one access read.
export {
  type Access,
  createAccess,
  declareAccess,
  type Granted,
  grantedTo,
  principalIfAny,
  type Read,
} from './access.ts';
