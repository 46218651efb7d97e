// The errors of SCIM (RFC 7644, section 3.12), below its own prefix.
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../errors.ts';

export const scimPrefix = '/scim/v2';
export const scimMediaType = 'application/scim+json';

type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** The detail is public, and the console shows it: it has no personal values. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** The router decodes paths. */
export const isScim = ({ url }: Pick<FastifyRequest, 'url'>): boolean =>
  url.startsWith(scimPrefix) && /^[/?]?$/.test(url.charAt(scimPrefix.length));

const typeOf: Readonly<Record<string, ScimType>> = {
  invalid_json: 'invalidSyntax',
  body_too_large: 'tooMany',
  last_owner: 'mutability',
  invalid_request: 'invalidValue',
};

export const scimBody = (error: ScimError | ServiceError): object => {
  const scimType = error instanceof ScimError ? error.scimType : typeOf[error.code];
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(scimType && { scimType }),
    detail: error.message,
  };
};
