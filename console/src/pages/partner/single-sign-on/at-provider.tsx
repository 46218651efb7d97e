// Step 1: what the provider has to know of Concord.
import type { IdentityConnection } from '@concord/client';
import { Section } from '../../../ui/layout/page.tsx';
import { Code } from '../../../ui/text/code.tsx';
import { atProviderWords, providerOf } from './messages.ts';

export function AtProvider({ connection }: { connection: IdentityConnection }) {
  const { issuer, redirect_uri, backchannel_logout_uri, public_jwk } = connection;
  const { name, guide } = providerOf(issuer);
  return (
    <Section
      title={atProviderWords.title}
      about={
        <>
          {atProviderWords.about}{' '}
          <a href={`/docs/${guide}`} target="_blank" rel="noreferrer">
            {atProviderWords.toClick(name)}
          </a>
        </>
      }
    >
      <Code label={atProviderWords.redirect} text={redirect_uri} />
      <Code label={atProviderWords.logout} text={backchannel_logout_uri} />
      {public_jwk && <Code label={atProviderWords.key} text={JSON.stringify(public_jwk, null, 2)} isJson />}
    </Section>
  );
}
