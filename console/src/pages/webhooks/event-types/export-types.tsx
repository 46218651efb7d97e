// The event types as a document for generators and gateways (behaviour W75).
import { exportEventTypes } from '@concord/client';
import { download } from '#api/download.ts';
import { useWrite } from '#api/write.ts';
import { Button } from '#ui/button/button.tsx';

const formats = [
  { format: 'openapi', label: 'Download as OpenAPI' },
  { format: 'asyncapi', label: 'Download as AsyncAPI' },
] as const;

export function ExportTypes() {
  const { isRunning, run } = useWrite();
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      isBusy={isRunning}
      onClick={async () => {
        const data = await run(exportEventTypes, { query: { format } }, { keepsCache: true });
        if (data !== undefined)
          download(`concord-${format}.json`, JSON.stringify(data, null, 2), 'application/json');
      }}
    >
      {label}
    </Button>
  ));
}
