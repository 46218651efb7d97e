// Somebody else than the invited person is signed in.
import { queryClient } from '#api/query-client.ts';
import { useWrite } from '#api/write.ts';
import { signOutOfTab } from '#app/sign-out.ts';
import { Button } from '#ui/button/button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';

export function WrongAccount({ signedInAs, invited }: { signedInAs: string; invited: string }) {
  const { isRunning, run } = useWrite();
  return (
    <Banner tone="warning" title="You are signed in with another address">
      <p>
        You are {signedInAs}. The invitation is for {invited}, and only that account can answer it.
      </p>
      <div>
        <Button
          isBusy={isRunning}
          onClick={async () => {
            await run(signOutOfTab, {}, { keepsCache: true });
            // Nothing that the other person read stays. The page, and with it the token of the link, does.
            await queryClient.resetQueries();
          }}
        >
          Sign out and go on
        </Button>
      </div>
    </Banner>
  );
}
