// Documents of event types that are made to cost much work (behaviour W75).
import { expect, it } from 'vitest';
import { expectStatus, faultOf, times } from '../../stage/cast.ts';
import { useService } from '../../stage/start-service.ts';
import { createImport, openApi, webhook } from './type-document-stage.ts';

const service = useService({ CONCORD_RATE_LIMIT: 'off' });
const { ask, stepsOf } = createImport(service);

it('W75: a document that is none, too large, or made to cost much work is 400, and blocks no other request', async () => {
  const nested = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const laughs = `openapi: 3.1.0\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`).join('\n')}\nwebhooks: {x.y: *i}`;
  const wide = {
    schemas: Object.fromEntries(
      times(600, (index) => [
        `S${index}`,
        {
          allOf: times(20, (other) => ({
            $ref: `#/components/schemas/S${(index + other) % 600}`,
          })),
        },
      ]),
    ),
  };
  const many = (count: number) =>
    Object.fromEntries(
      times(count, (index) => [`t.t${index}`, webhook({ $ref: '#/components/schemas/S0' }, {})]),
    );
  const answers: [string, unknown][] = [
    ['no document', 'x'],
    ['OpenAPI 3.0', { openapi: '3.0.3', webhooks: {} }],
    ['nothing', openApi({})],
    ['neither JSON nor YAML', '{"a": '],
    ['tags', 'openapi: 3.1.0\nwebhooks: !!js/function x'],
    ['501 types', openApi(many(501), { schemas: { S0: {} } })],
    ['more than 4 MiB by references', openApi(many(80), { schemas: { S0: { title: 'x'.repeat(60_000) } } })],
    ['aliases', laughs],
    ['a key twice', 'openapi: 3.1.0\nx: {a: 1, "a": 2}\nwebhooks: {x.y: {}}'],
    ['many nodes', `openapi: 3.1.0\nwebhooks: [${'[],'.repeat(340_000)}]`],
    ['many levels', `openapi: 3.1.0\nx: ${'['.repeat(500_000)}`],
    ['more than 1 MiB', `${' '.repeat(1_048_577)}{}`],
  ];
  for (const [what, document] of answers) {
    expect([what, ...faultOf(await ask(document))]).toEqual([what, 400, '/document']);
  }
  // Before they are parsed.
  const messages = ['many nodes', 'many levels'].map((what) => ask(new Map(answers).get(what)));
  expect((await Promise.all(messages)).map(({ body }) => body.errors[0].message)).toEqual([
    'document must be JSON or YAML: it has more than 500000 tokens',
    'document must be JSON or YAML: it has more than 1000 brackets inside each other',
  ]);
  const deep = JSON.parse(nested);
  const levels = await stepsOf(
    openApi({ 'a.schema': webhook({ const: deep }, {}), 'an.example': webhook({}, deep) }),
  );
  expect(levels.map(({ reason }) => reason)).toEqual(Array(2).fill('must have at most 100 levels'));
  // The thread could send a deep example, but the service could not read it.
  const envelope = Object.fromEntries(
    ['id', 'type', 'created_at', 'partner_id', 'environment', 'data'].map((name) => [name, {}]),
  );
  const shown = await stepsOf(
    openApi(
      {
        'an.envelope': webhook({ properties: envelope, examples: [{ data: deep }] }),
        'an.id': webhook({ properties: { a: { $ref: '#/components/schemas/A' } } }, {}),
      },
      { schemas: { A: { properties: { b: { $id: 'urn:b', const: deep } } } } },
    ),
  );
  expect(shown.map(({ reason }) => reason)).toEqual(Array(2).fill('must have at most 100 levels'));
  const order: string[] = [];
  const hostile = stepsOf(openApi(many(100), wide)).then((steps) => {
    order.push('hostile');
    return steps;
  });
  for (let requests = 0; requests < 3; requests++) {
    await expectStatus(200, service.get('/event-types'));
    order.push('other');
  }
  expect((await hostile).every(({ action }) => action === 'refused')).toBe(true);
  expect(order.indexOf('hostile')).toBe(3);
});

it('W75: a map of many keys is read in time', async () => {
  const keys = times(40_000, (index) => `k${index}`).join();
  const steps = await stepsOf(`openapi: 3.1.0\nwebhooks: {a.b: {}}\nx-map: {${keys}}`);
  expect(steps).toMatchObject([{ name: 'a.b', action: 'refused' }]);
});
