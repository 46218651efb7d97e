// A line in which groups take turns, so that many entries of one group delay only that group.

export function createFairLine<Entry>() {
  /** The first group is the next one. A group without entries is not here. */
  const groups = new Map<string, Entry[]>();
  let size = 0;

  function put(group: string, entry: Entry, place: 'push' | 'unshift'): void {
    const entries = groups.get(group);
    if (entries) entries[place](entry);
    else groups.set(group, [entry]);
    size++;
  }

  return {
    size: () => size,
    sizeOf: (group: string) => groups.get(group)?.length ?? 0,
    add: (group: string, entry: Entry) => put(group, entry, 'push'),
    /** Before all others of its group. */
    putBack: (group: string, entry: Entry) => put(group, entry, 'unshift'),
    /** The group then goes to the end of the line. */
    next(may: (group: string) => boolean = () => true): Entry | undefined {
      for (const [group, entries] of groups) {
        if (!may(group)) continue;
        const entry = entries.shift();
        groups.delete(group);
        if (entries.length > 0) groups.set(group, entries);
        size--;
        return entry;
      }
      return undefined;
    },
    remove(group: string, entry: Entry): boolean {
      const entries = groups.get(group) ?? [];
      const index = entries.indexOf(entry);
      if (index < 0) return false;
      entries.splice(index, 1);
      if (entries.length === 0) groups.delete(group);
      size--;
      return true;
    },
    newestOfLongest(): { group: string; entry: Entry } | undefined {
      const [first, ...others] = groups;
      if (!first) return undefined;
      const [group, entries] = others.reduce(
        (most, each) => (each[1].length > most[1].length ? each : most),
        first,
      );
      const entry = entries.at(-1);
      return entry && { group, entry };
    },
  };
}
