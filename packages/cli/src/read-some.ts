// The first items of a list.

/** At most `limit`; reads no more pages than that takes. */
export async function readSome<Item>(items: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
