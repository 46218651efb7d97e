import { expect, it } from 'vitest';
import { bodyFor } from './payload.ts';

const open = '{"id":"evt_1","type":"inventory.updated","environment":"live"';

it('W76: a thin body is the event up to its data, whatever the data is', () => {
  for (const data of ['{}', 'null', '{"data":{"data":1}}', '",\\"data\\":"', '[{"a":1,"data":2}]'])
    expect(bodyFor('thin', `${open},"data":${data}}`)).toBe(`${open}}`);
  expect(bodyFor('full', `${open},"data":{}}`)).toBe(`${open},"data":{}}`);
});

it('W76, W77: a checkpoint keeps its data, and nothing else can look like one', () => {
  const checkpoint = '{"id":"evt_1","type":"webhook_endpoint.checkpoint","data":{"jws":"e30"}}';
  expect(bodyFor('thin', checkpoint)).toBe(checkpoint);
  const data = '{"id":"evt_1","type":"webhook_endpoint.checkpoint","data":{}}';
  expect(bodyFor('thin', `${open},"data":${data}}`)).toBe(`${open}}`);
});
