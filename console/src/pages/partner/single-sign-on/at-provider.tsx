// Step 1: what the provider has to know of Concord.
import type { IdentityConnection } from '@concord/client';
import { Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { providerOf } from './messages.ts';

export function AtProvider({ connection }: { connection: IdentityConnection }) {
  const { issuer, redirect_uri, backchannel_logout_uri, public_jwk } = connection;
  const { name, guide } = providerOf(issuer);
  return (
    <Section
      title="1. Tell the provider about Concord"
      about={
        <>
          Copy these to the application that you registered there.{' '}
          <a href={`/docs/${guide}`} target="_blank" rel="noreferrer">
            What to click: {name}
          </a>
        </>
      }
    >
      <Code label="Redirect URI" text={redirect_uri} />
      <Code
        label="Back-channel logout URI, if the provider has a field for it"
        text={backchannel_logout_uri}
      />
      {public_jwk && <Code label="Public key" text={JSON.stringify(public_jwk, null, 2)} isJson />}
    </Section>
  );
}
