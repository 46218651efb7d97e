// The receiver in the chosen language. A file of its own, since its texts are large.
import { SelectField } from '#ui/form/field.tsx';
import { optionsOf } from '#ui/form/options.ts';
import { Section, Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { type Language, languages, receivers } from './receivers.ts';
import type { Place } from './servers.ts';

type Props = { language: string | undefined; place: Place; onChoose: (language: Language) => void };

const names = Object.keys(languages) as Language[];

export function Receiver({ language, place, onChoose }: Props) {
  const chosen = names.find((name) => name === language) ?? 'node';
  return (
    <Section title="The receiver" about="It listens on port 8080, verifies each webhook, and answers 204.">
      <Stack>
        <SelectField
          name="language"
          label="Language or framework"
          value={chosen}
          onChange={({ target }) => onChoose(target.value as Language)}
          options={optionsOf(languages)}
        />
        {receivers[chosen](place).map(({ label, text }) => (
          <Code key={label} label={label} text={text} />
        ))}
      </Stack>
    </Section>
  );
}
