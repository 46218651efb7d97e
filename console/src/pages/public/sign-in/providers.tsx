// The providers that Concord knows: each is a button that leaves for the provider.
import { signInWithProvider } from '@concord/client';
import { keepReturn } from '../../../api/return-path.ts';
import { useWrite } from '../../../api/write.ts';
import { useSettings } from '../../../app/settings.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Stack } from '../../../ui/layout/page.tsx';

export function Providers({ returnTo }: { returnTo?: string | undefined }) {
  const settings = useSettings();
  const { isRunning, run } = useWrite();
  if (settings === null || settings.providers.length === 0) return null;
  return (
    <Stack>
      {settings.providers.map(({ provider, name }) => (
        <Button
          key={provider}
          isBusy={isRunning}
          onClick={async () => {
            const answer = await run((client) => signInWithProvider({ client, body: { provider } }), {
              keepsCache: true,
            });
            if (answer === undefined) return;
            if (returnTo !== undefined) keepReturn(returnTo);
            window.location.assign(answer.url);
          }}
        >
          Sign in with {name}
        </Button>
      ))}
    </Stack>
  );
}
