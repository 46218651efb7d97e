// The providers that Concord knows: each is a button that leaves for the provider.
import { signInWithProvider } from '@concord/client';
import { useLeave } from '#app/leave.ts';
import { useSettings } from '#app/settings.ts';
import { Button } from '#ui/button.tsx';
import { Stack } from '#ui/layout/page.tsx';

export function Providers({ returnTo }: { returnTo?: string | undefined }) {
  const settings = useSettings();
  const { isLeaving, leave } = useLeave();
  if (settings === null || settings.providers.length === 0) return null;
  return (
    <Stack>
      {settings.providers.map(({ provider, name }) => (
        <Button
          key={provider}
          isBusy={isLeaving}
          onClick={() => leave(signInWithProvider, { body: { provider } }, returnTo)}
        >
          Sign in with {name}
        </Button>
      ))}
    </Stack>
  );
}
