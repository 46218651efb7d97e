// The second factor of better-auth, after a password and after a provider alike.
import { twoFactor } from 'better-auth/plugins/two-factor';

export function secondFactor() {
  const plugin = twoFactor({
    // Limits are ours (guards.ts): with this lockout a stranger could lock the owner out.
    accountLockout: { enabled: false },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factor',
        fields: {
          backupCodes: 'backup_codes',
          userId: 'user_id',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
  // The plugin challenges only sign-ins with a password. Its hook works after a provider too: it replaces the
  // session by a challenge.
  // A browser that comes from a provider has no token of a trusted device, so it always gets the challenge.
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      hook.matcher(context) || context.path === '/callback/:id',
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}
