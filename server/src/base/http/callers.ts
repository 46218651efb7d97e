// Who shares a bound of memory or of connections: the user of a request, whatever the credential, or its
// address; and its partner.
import type { FastifyRequest } from 'fastify';
import { addressGroup } from './address-group.ts';

const users = new WeakMap<FastifyRequest, string>();

/** To be called when the credential of the request was found to be valid. */
export const setUser = (request: FastifyRequest, userId: string): void => {
  users.set(request, userId);
};

const partners = new WeakMap<FastifyRequest, string>();

/** To be called when the caller may know the partner of the request. */
export const setPartner = (request: FastifyRequest, partnerId: string): void => {
  partners.set(request, partnerId);
};

/** The caller of a request, and the partner that it is about. */
export function ownersOf(request: FastifyRequest): string[] {
  const partnerId = partners.get(request);
  return partnerId === undefined ? [callerOf(request)] : [callerOf(request), `partner ${partnerId}`];
}

export function callerOf(request: FastifyRequest): string {
  const userId = users.get(request);
  return userId === undefined ? `address ${addressGroup(request.ip)}` : `user ${userId}`;
}
