// Reading JSON strictly, with generated texts whose repeated members, depth and values are known.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson, textsOfMember } from './json-body.ts';

type Written = { text: string; compact: string; repeated: boolean };

const space = fc.constantFrom('', '', ' ', '\n\t', ' \r');
/** A name, and one of the ways to write it. */
const name = fc
  .constantFrom('a', 'b', 'data', '"', '\\', 'é', '{:,', ' x', '__proto__', '\n')
  .chain((value) =>
    fc
      .constantFrom(
        JSON.stringify(value),
        `"${[...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
      )
      .map((text) => ({ value, text })),
  );
const leaf = fc
  .constantFrom(
    '0',
    '-1.50e3',
    '12345678901234567890',
    'true',
    'null',
    '""',
    '"a: {b}, [c]"',
    '"\\""',
    '"\\\\"',
    '"x  y"',
  )
  .map((text) => ({ text, compact: text, repeated: false }));

const { value: written } = fc.letrec<{
  value: Written;
  member: { name: { value: string; text: string }; content: Written };
}>((tie) => ({
  member: fc.record({ name, content: tie('value') }),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space, space).map(([items, before, after]) => ({
      text: `[${before}${items.map(({ text }) => text + after).join(`,${before}`)}]`,
      compact: `[${items.map(({ compact }) => compact).join(',')}]`,
      repeated: items.some(({ repeated }) => repeated),
    })),
    fc.tuple(fc.array(tie('member'), { maxLength: 5 }), space, space).map(([members, before, after]) => ({
      text: `{${members.map((each) => `${before}${each.name.text}${after}:${before}${each.content.text}${after}`).join(',')}}`,
      compact: `{${members.map((each) => `${each.name.text}:${each.content.compact}`).join(',')}}`,
      repeated:
        members.some(({ content }) => content.repeated) ||
        new Set(members.map((each) => each.name.value)).size < members.length,
    })),
  ),
}));
const parse = (text: string) => parseJson(Buffer.from(text));

it('F5: generated texts are refused exactly when a member is there twice', () => {
  fc.assert(
    fc.property(written, ({ text, repeated }) => {
      if (repeated) expect(() => parse(text)).toThrow(/has the member .* twice/s);
      else parse(text);
    }),
    { numRuns: 3_000 },
  );
});

it('W9: the text of a member is kept without whitespace, digit by digit', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 3 }), space, (values, gap) => {
      fc.pre(values.every(({ repeated }) => !repeated));
      const items = values.map(
        ({ text }) => `{"x":{"data":1},"d\\u0061ta"${gap}:${gap}${text}${gap},"y":["data"]}`,
      );
      const body = parse(`[${items.join(',')}]`) as object;
      expect(textsOfMember(body, 'data')).toEqual(values.map(({ compact }) => compact));
      for (const [index, item] of items.entries())
        expect(textsOfMember(parse(item) as object, 'data')).toEqual([values[index]?.compact]);
    }),
    { numRuns: 1_000 },
  );
});

it('F6: values are counted before a text is parsed', () => {
  expect(parseJson(Buffer.from('[1,[2],{"a":"1,2,3"}]'), 6)).toEqual([1, [2], { a: '1,2,3' }]);
  for (const text of ['[1,2,3,4,5]', '[[],[],[]]', '[1,2,3,4,5,', '[{"a":1,"b":2,"c":[]}]'])
    expect(() => parseJson(Buffer.from(text), 4)).toThrow(/more than 4 values/);
});
