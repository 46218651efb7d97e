// The providers that Concord knows: each is a button that leaves for the provider.
import { signInWithProvider } from '@concord/client';
import { useWrite } from '../../../api/write.ts';
import { useSettings } from '../../../app/settings.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Stack } from '../../../ui/layout/page.tsx';

/** Where the person goes after the return from the provider. It is no secret. */
const returnKey = 'concord.return';
export function takeReturn(): string | undefined {
  const path = window.sessionStorage.getItem(returnKey) ?? undefined;
  window.sessionStorage.removeItem(returnKey);
  return path;
}

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
            if (returnTo !== undefined) window.sessionStorage.setItem(returnKey, returnTo);
            window.location.assign(answer.url);
          }}
        >
          Sign in with {name}
        </Button>
      ))}
    </Stack>
  );
}
