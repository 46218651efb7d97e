// Who shares a bound: the user of a request, or its address; and its partner.
import type { FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';
import { addressGroup } from './address-group.ts';

const users = createAttached<FastifyRequest, string>();

export const setUser = (request: FastifyRequest, userId: string): void => {
  users.set(request, userId);
};

const partners = createAttached<FastifyRequest, string>();

export const setPartner = (request: FastifyRequest, partnerId: string): void => {
  partners.set(request, partnerId);
};

export function ownersOf(request: FastifyRequest): string[] {
  const partnerId = partners.get(request);
  return partnerId === undefined ? [callerOf(request)] : [callerOf(request), ownerOfPartner(partnerId)];
}

/** `partnerId`: a bare UUID. */
export const ownerOfPartner = (partnerId: string): string => `partner ${partnerId}`;

export function callerOf(request: FastifyRequest): string {
  const userId = users.get(request);
  return userId === undefined ? `address ${addressGroup(request.ip)}` : `user ${userId}`;
}
