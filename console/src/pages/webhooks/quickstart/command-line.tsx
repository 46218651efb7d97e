// How sandbox webhooks come to this computer: the command line of this Concord, from the first line to the first event.
import { usePartner } from '#app/address.ts';
import { Section, Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';

/** `here`: where the receiver listens. */
export function CommandLine({ here }: { here: string }) {
  const partner = usePartner();
  const { origin } = window.location;
  return (
    <Section
      title="The command line"
      about={`It fetches sandbox webhooks and forwards them to the receiver. You need Node 20 or later. If you may not install, write npx ${origin}/packages/cli.tgz in place of concord.`}
    >
      <Stack>
        <Code
          label="Once"
          text={`npm install --global ${origin}/packages/cli.tgz\nconcord login --url ${origin} --partner ${partner}`}
        />
        <Code label="While the receiver runs" text={`concord listen --forward-to ${here}`} />
        <Code label="In another terminal: send an event" text="concord trigger inventory.updated" />
      </Stack>
    </Section>
  );
}
