import { expect, it } from 'vitest';
import { bySeverity, isMended } from './failing-endpoints.ts';

const endpoint = (name: string, changes: object) => ({
  ...({
    name,
    status: 'active',
    environment: 'live',
    since: null,
    recent: { attempts: 10, delivered: 5 },
  } as const),
  ...changes,
});

it('N8: the worst comes first, and live before sandbox', () => {
  const endpoints = [
    endpoint('half', {}),
    endpoint('most', { recent: { attempts: 10, delivered: 1 } }),
    endpoint('lately', { since: '2026-01-02T00:00:00.000Z', recent: { attempts: 5, delivered: 0 } }),
    endpoint('long', { since: '2026-01-01T00:00:00.000Z', recent: { attempts: 0, delivered: 0 } }),
    endpoint('sandbox', { environment: 'sandbox', status: 'disabled', since: '2026-01-01T00:00:00.000Z' }),
    endpoint('disabled', {
      status: 'disabled',
      since: '2026-01-03T00:00:00.000Z',
      recent: { attempts: 0, delivered: 0 },
    }),
    endpoint('mended', { recent: { attempts: 5, delivered: 5 } }),
    endpoint('mended at this moment', {
      since: '2026-01-01T00:00:00.000Z',
      recent: { attempts: 5, delivered: 5 },
    }),
    endpoint('quiet', { recent: { attempts: 0, delivered: 0 } }),
  ];
  const shown = endpoints.filter((each) => !isMended(each)).toSorted(bySeverity);
  expect(shown.map(({ name }) => name)).toEqual(['disabled', 'long', 'lately', 'most', 'half', 'sandbox']);
});
