// The receiver in the chosen language. A file of its own, since its texts are large.
import { SelectField } from '#ui/form/field.tsx';
import { Section, Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import go from '../../../../../docs/receivers/receiver.go?raw';
import php from '../../../../../docs/receivers/receiver.php?raw';
import python from '../../../../../docs/receivers/receiver.py?raw';
import ruby from '../../../../../docs/receivers/receiver.rb?raw';
import rust from '../../../../../docs/receivers/receiver.rs?raw';
import csharp from '../../../../../docs/receivers/Webhooks.cs?raw';
import java from '../../../../../docs/receivers/Webhooks.java?raw';
import { type File, frameworks, inFrameworks } from './frameworks.ts';
import type { Place } from './servers.ts';
import * as servers from './servers.ts';

type Props = { language: string | undefined; place: Place; onChoose: (language: Language) => void };

export function Receiver({ language, place, onChoose }: Props) {
  const names = Object.keys(languages) as Language[];
  const chosen = names.find((name) => name === language) ?? 'node';
  return (
    <Section title="The receiver" about="It listens on port 8080, verifies each webhook, and answers 204.">
      <Stack>
        <SelectField
          name="language"
          label="Language or framework"
          value={chosen}
          onChange={({ target }) => onChoose(target.value as Language)}
          options={languages}
        />
        {receivers[chosen](place).map(({ label, text }) => (
          <Code key={label} label={label} text={text} />
        ))}
      </Stack>
    </Section>
  );
}

const ownServers = {
  node: 'Node',
  typescript: 'Deno, no package',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  java: 'Java',
  rust: 'Rust',
  csharp: 'C#',
} as const;
/**
 * A receiver in each language, for one endpoint. The verification of all but the first two is the code of
 * docs/receivers, which `npm run interop` runs against the vectors and against real deliveries.
 */
const languages = { ...ownServers, ...frameworks };
type Language = keyof typeof languages;

/** Concord serves the package at the origin of its keys. */
const install = ({ jwks }: servers.Place) =>
  `npm install ${new URL('/packages/webhook-receiver.tgz', jwks).href}`;

const receivers: Readonly<Record<Language, (place: servers.Place) => File[]>> = {
  ...inFrameworks,
  node: (place) => [
    { label: 'Install', text: install(place) },
    { label: 'receiver.mjs: node receiver.mjs', text: servers.inNode(place) },
  ],
  typescript: (place) => [
    { label: 'receiver.ts: deno run --allow-net receiver.ts', text: servers.inTypeScript(place) },
  ],
  python: (place) => [
    { label: 'Install', text: 'pip install "http-message-signatures>=3" cryptography' },
    { label: 'receiver.py', text: `${python}\n${servers.inPython(place)}` },
  ],
  php: (place) => [
    { label: 'index.php: php -S 0.0.0.0:8080 index.php', text: servers.inPhp(place) },
    { label: 'verify.php', text: php },
  ],
  ruby: (place) => [
    { label: 'Install', text: 'gem install rack rackup puma' },
    { label: 'config.ru: rackup -p 8080', text: servers.inRuby(place) },
    { label: 'verify.rb', text: ruby },
  ],
  go: (place) => [
    { label: 'Install', text: 'go get github.com/yaronf/httpsign@v0.5.0 github.com/dunglas/httpsfv' },
    { label: 'main.go', text: servers.inGo(place) },
    { label: 'verify.go', text: go },
  ],
  java: (place) => [
    {
      label: 'Dependencies',
      text: 'org.greenbytes.http:structured-fields:0.4\ncom.google.code.gson:gson:2.11.0',
    },
    { label: 'Receiver.java', text: servers.inJava(place) },
    { label: 'Webhooks.java', text: java },
  ],
  rust: ({ url, partner, jwks }) => [
    { label: 'Install', text: 'cargo add httpsig-hyper@0.0.26 http http-body-util base64 bytes serde_json' },
    {
      label: 'Call it from the route of your server',
      text: `const URL: &str = ${JSON.stringify(url)};
const PARTNER: &str = ${JSON.stringify(partner)};
/// Fetch it, and keep it for an hour.
const JWKS: &str = ${JSON.stringify(jwks)};

// let id = verify(request, URL, PARTNER, &jwks, now).await?;  answer 204, or 401 if it fails`,
    },
    { label: 'verify.rs', text: rust },
  ],
  csharp: ({ url, partner, jwks }) => [
    {
      label: 'Call it from the route of your server',
      text: `const string Url = ${JSON.stringify(url)};
const string Partner = ${JSON.stringify(partner)};
// Fetch it, and keep it for an hour.
const string Jwks = ${JSON.stringify(jwks)};

// string id = Webhooks.Verify(method, Url, name => request.Headers[name].ToString(), body, keys, Partner,
// DateTimeOffset.UtcNow); Answer 204, or 401 if it throws.`,
    },
    { label: 'Webhooks.cs: not run by us yet, so try it with the vectors', text: csharp },
  ],
};
