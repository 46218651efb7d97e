// The media types that the body of a request can have.
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { isForm } from './raw-body.ts';
import { isRepeated } from './request-headers.ts';
import { isScim, scimMediaType } from './scim.ts';

export const jsonType = 'application/json';
export const formMediaType = 'application/x-www-form-urlencoded';
export const mergePatchType = 'application/merge-patch+json';

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

function mediaTypesOf(request: FastifyRequest): string[] {
  if (isForm(request.routeOptions.schema?.body)) return [formMediaType];
  return [
    jsonType,
    ...(request.method === 'PATCH' ? [mergePatchType] : []),
    ...(isScim(request) ? [scimMediaType] : []),
  ];
}

/** Before the body is read (E3). A body without a type is refused when it is read. @throws ServiceError */
export function requireMediaType(request: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers;
  if (!methodsWithBody.has(request.method)) return;
  if (coding.toLowerCase() !== 'identity')
    throw new ServiceError('unsupported_media_type', {
      detail: 'The Content-Encoding is not supported. Send the body without one.',
    });
  if (isRepeated(request.raw, 'content-type')) throw unsupportedMediaType(request);
  const name = type?.split(';', 1)[0]?.trim().toLowerCase();
  if (name !== undefined && !mediaTypesOf(request).includes(name)) throw unsupportedMediaType(request);
}

export const unsupportedMediaType = (request: FastifyRequest, cause?: unknown): ServiceError =>
  new ServiceError('unsupported_media_type', {
    detail: `The Content-Type must be ${mediaTypesOf(request).join(' or ')}.`,
    cause,
  });
