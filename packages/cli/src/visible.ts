// Text from the network as a terminal may show it: nothing in it can move the cursor, colour, ring or reorder.

/**
 * C0, DEL, C1, soft hyphen, zero-width and bidirectional controls, line separators, the byte order mark, interlinear
 * and tag characters, and halves of characters.
 */
const unsafe =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}]|[\u{e0000}-\u{e007f}]/gu;

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/** One line: line breaks are escaped too. */
export const visible = (text: string): string => text.replace(unsafe, escaped);

/** JSON that parses to the same value. */
export const visibleJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(unsafe, (character) =>
    // Outside strings, JSON only has the line breaks that `indent` makes.
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => escaped(character.charAt(at))).join(''),
  );
