// Tokens of links, visits and codes: 192 random bits, of which the database has only the SHA-256 hash.
import { createHash, randomBytes } from 'node:crypto';

export const newToken = () => randomBytes(24).toString('base64url');
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
