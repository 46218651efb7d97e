// Who is signed in.
import { ConcordError, getMe, type Me } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Answer, read } from '#api/read.ts';

export const meQuery = read(getMe, {});

export const isSignedOut = (error: unknown): boolean => error instanceof ConcordError && error.status === 401;

/** For pages that anyone can open. Null: nobody is signed in. Undefined: not known, as while Concord does not answer. */
export const personOf = ({ data, error }: UseQueryResult<Answer<Me>>): Me | null | undefined =>
  isSignedOut(error) ? null : data?.data;
