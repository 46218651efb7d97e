// Addresses of providers count only when they are verified. Otherwise a stranger could enter the address of
// somebody else at a provider, and create or take over the account of its owner.
import type { betterAuth } from 'better-auth';
import { getOAuthState } from 'better-auth/api';

type Options = NonNullable<Parameters<typeof betterAuth>[0]['user']>;
type ValidateUserInfo = NonNullable<Options['validateUserInfo']>;

/**
 * Runs before an existing user is linked to a provider. `asked`: by the user, who is signed in. False refuses
 * the link.
 */
export type BeforeLink = (link: {
  userId: string;
  provider: string;
  requestId: string;
  asked: boolean;
}) => Promise<boolean>;

/** The bridge passes the id of the request in this header. */
export const requestIdHeader = 'x-concord-request-id';

/** Some providers send booleans as text or numbers. The text `false` is not true. */
const isTrue = (claims: object, name: string) =>
  [true, 'true', 1, '1'].includes((claims as Record<string, never>)[name] ?? false);

/** A missing claim means that the address is not verified. */
export const mapVerified = (claims: object) => ({ emailVerified: isTrue(claims, 'email_verified') });

/**
 * Microsoft sends `email_verified` only for personal accounts. `xms_edov`, an optional claim of the app
 * registration, says that the tenant has verified the domain of the address.
 */
export const mapMicrosoft = (claims: object) => ({
  emailVerified: isTrue(claims, 'email_verified') || isTrue(claims, 'xms_edov'),
});

/**
 * Runs before a user is created, linked or signed in by a provider. The address of the user counts as it is
 * now: it may have changed since the user left for the provider.
 */
export const createRequireVerified =
  (beforeLink: BeforeLink): ValidateUserInfo =>
  async ({ user, source }, { context, headers }) => {
    const refused = { error: 'email_not_verified' };
    if (source.action !== 'sign-in' && user.emailVerified !== true) return refused;
    if (source.action === 'create-user') return undefined;
    const own = await context.internalAdapter.findUserById(String(user.id));
    if (!own?.emailVerified) return refused;
    if (source.action !== 'link-account') return undefined;
    if (own.email !== String(user.email).toLowerCase()) return { error: 'email_does_not_match' };
    const link = {
      userId: own.id,
      provider: source.oauth?.providerId ?? '',
      requestId: headers?.get(requestIdHeader) ?? '',
    };
    const asked = (await getOAuthState())?.link !== undefined;
    return (await beforeLink({ ...link, asked })) ? undefined : { error: 'provider_unlinked' };
  };
