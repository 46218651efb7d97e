// Everything that Concord keeps about the person, as a file.
import { exportPersonalData } from '@concord/client';
import { download } from '#api/download.ts';
import { useWrite } from '#api/write.ts';
import { Button } from '#ui/button/button.tsx';
import { Section } from '#ui/layout/page.tsx';

export function Export() {
  const { isRunning, run } = useWrite();
  return (
    <Section
      title="Your data"
      about="One JSON file: profile, linked accounts, sessions, tokens, agreements, invitations, waiting mails, and what the audit log says about you."
    >
      <div>
        <Button
          isBusy={isRunning}
          onClick={async () => {
            const data = await run(exportPersonalData, {}, { keepsCache: true });
            if (data !== undefined)
              download('concord-personal-data.json', JSON.stringify(data, null, 2), 'application/json');
          }}
        >
          Download my data
        </Button>
      </div>
    </Section>
  );
}
