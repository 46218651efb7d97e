// Who shares a bound of memory: the user of a request, whatever the credential, or its address.
import type { FastifyRequest } from 'fastify';
import { addressGroup } from './address-group.ts';

const users = new WeakMap<FastifyRequest, string>();

/** To be called when the credential of the request was found to be valid. */
export const setUser = (request: FastifyRequest, userId: string): void => {
  users.set(request, userId);
};

export function callerOf(request: FastifyRequest): string {
  const userId = users.get(request);
  return userId === undefined ? `address ${addressGroup(request.ip)}` : `user ${userId}`;
}
