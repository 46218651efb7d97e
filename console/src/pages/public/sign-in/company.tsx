// The identity provider of a company: offered when the address is of a domain that has one.
import { findSignInMethods, signInWithConnection } from '@concord/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '#api/client.ts';
import { useLeave } from '#app/leave.ts';
import { Button } from '#ui/button.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';

type Props = { email: string; returnTo?: string | undefined };

/** `email`: as far as it was typed. Nothing while no company has its domain. */
export function Company({ email, returnTo }: Props) {
  const { isLeaving, leave } = useLeave();
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const { data } = useQuery({
    queryKey: ['sign-in-methods', domain],
    enabled: /.@.+\../.test(email),
    staleTime: 60_000,
    queryFn: () => findSignInMethods({ client, body: { email } }),
  });
  const connection = data?.connection ?? null;
  if (connection === null) return null;
  return (
    <Banner tone="info" title={`${domain} signs in with ${connection.name}`}>
      <Button isBusy={isLeaving} onClick={() => leave(signInWithConnection, { body: { email } }, returnTo)}>
        Sign in with {connection.name}
      </Button>
    </Banner>
  );
}
