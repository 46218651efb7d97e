// What the service says about itself to anyone, before a sign-in.

export type Settings = {
  readonly base_url: string;
  readonly version: string;
  readonly cookie_sign_in: { readonly allowed: boolean; readonly reason: string | null };
  readonly providers: readonly { readonly provider: 'google' | 'github' | 'microsoft' | 'oidc'; readonly name: string }[];
  readonly mail: { readonly kind: 'smtp' | 'files'; readonly folder: string | null };
  readonly set_up: boolean;
};

/** Null: not read yet. */
export const useSettings = (): Settings | null => null;
