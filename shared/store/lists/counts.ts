import { PART_END, type ReadNode } from '../ledger/ledger.ts';
import type { CountsOf } from '../write.ts';

// The counts of a list by time and view, as a tree in a ledger. A node is the beginning of an ISO time. It holds a
// number for each child and view, under the part that the child's name adds:
//
//   ''                    { '2026-10': 80211, '2026-11': 1204, '2026-11|Pending': 300, '|Upload': 81000 }
//   '2026-11'             { '13T23': 900, '14T02': 304, '14T02|Pending': 300 }
//   '2026-11-14T02'       { '04': 4, '05': 300, '05|Pending': 300 }
//   '2026-11-14T02:05'    { '33': 300, '33|Pending': 300 }
//   '2026-11-14T02:05:33' { '123': 2, '123|Pending': 2, ... }
//
// Finding the nth newest reads one path, as far down as entries are crowded: the cost does not depend on their number, nor
// on how they are spread. The ledger has items for crowded nodes alone, so entries far apart cost no more to write. Those of
// one millisecond are walked. The largest node is a month of which every hour has entries in every view: some 70 KB with
// six views. Tallies, as '|Upload', are counted over the whole list and are in the top node alone.
//
// Each level has the length of the node's name, and where its children's names begin and end.
const LEVELS = [
  { node: 0, start: 0, end: 7, separator: '' },
  { node: 7, start: 8, end: 13, separator: '-' },
  { node: 13, start: 14, end: 16, separator: ':' },
  { node: 16, start: 17, end: 19, separator: ':' },
  { node: 19, start: 20, end: 23, separator: '.' },
] as const;

/** The length of 2026-11-14T02:05:33.123. */
const MOMENT_LENGTH = 23;

/** The nodes from the top down to this one. */
const pathTo = (name: string): string[] =>
  LEVELS.filter(({ node }) => node <= name.length).map(({ node }) => name.slice(0, node));

/** The view that every entry is in. Its counts have no suffix. */
export const ALL = 'All';

const suffixOf = (view: string): string => (view === ALL ? '' : `|${view}`);

/** The name of an amount: a time and a view. */
export const amountName = (iso: string, view: string): string =>
  `${iso.slice(0, MOMENT_LENGTH)}${suffixOf(view)}`;

/** The name of the amount of a tally. No time is before the bar. */
export const tallyName = (tally: string): string => `|${tally}`;

/** The part of a ledger that an amount or a node is of, with the sign at its end. Empty for a ledger without parts. */
export function partOf(name: string): string {
  const end = name.indexOf(PART_END);
  return end < 0 || name.slice(0, end).includes('|') ? '' : name.slice(0, end + PART_END.length);
}

/** The counts on the path to an amount's time, or the beginning of one. An amount without a time, as a tally, is one count. */
export const countsOfAmount: CountsOf = (name) => {
  const part = partOf(name);
  const bar = name.indexOf('|', part.length);
  const [time, suffix] =
    bar < 0 ? [name.slice(part.length), ''] : [name.slice(part.length, bar), name.slice(bar)];
  if (!/^\d/.test(time)) return [{ node: part, field: name.slice(part.length), name }];
  return LEVELS.filter(({ end }) => end <= time.length).map(({ node, start, end }) => ({
    node: part + time.slice(0, node),
    field: time.slice(start, end) + suffix,
    name: part + time.slice(0, end) + suffix,
  }));
};

/** How many entries a list has, in each view, and of each tally. */
export type ListCounts = {
  readonly total: number;
  readonly views: ReadonlyMap<string, number>;
  readonly tallies: ReadonlyMap<string, number>;
};

/** The counts of a whole list at one moment, from its top node. */
export async function countsOfList(readNode: ReadNode): Promise<ListCounts> {
  const views = new Map<string, number>();
  const tallies = new Map<string, number>();
  for (const [field, count] of await readNode('')) {
    const [month = '', name = ALL] = field.split('|');
    const counted = month === '' ? tallies : views;
    counted.set(name, (counted.get(name) ?? 0) + count);
  }
  return { total: views.get(ALL) ?? 0, views, tallies };
}

/**
 * The numbers of entries by hour and view, in the months of these times: '2026-11-14T02' of 'Pending'. They are in the
 * nodes of the months, so a week is one or two of them, however many entries it has.
 */
export async function countsByHour(
  readNode: ReadNode,
  months: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const hours = new Map<string, Map<string, number>>();
  for (const month of months)
    for (const [field, count] of await readNode('', month)) {
      const [child = '', view = ALL] = field.split('|');
      const hour = `${month}-${child}`;
      const counted = hours.get(hour) ?? new Map<string, number>();
      counted.set(view, (counted.get(view) ?? 0) + count);
      hours.set(hour, counted);
    }
  return hours;
}

// '~' comes after every sign of a time, so each entry within a node is before it, and no entry of another is between.
const endOf = (node: string): string => `${node}~`;

/** So many entries are passed by in the query of a page, for less than the counts on the way to it. */
export const NEAR = 100;

/** A position in the order from newest to oldest: skip so many entries before this time. */
export type Position = { readonly before: string; readonly skip: number };

/** The counts of a node's children, newest child first. */
type Counts = readonly (readonly [child: string, count: number])[];

/** The counts of some views together, at one moment. */
export function countsOfViews(readNode: ReadNode, views: readonly string[]) {
  const suffixes = views.map(suffixOf);
  const childrenOf = async (node: string): Promise<Counts> => {
    const sums = new Map<string, number>();
    for (const [field, count] of await readNode(...pathTo(node))) {
      const [child = ''] = field.split('|');
      if (suffixes.includes(field.slice(child.length))) sums.set(child, (sums.get(child) ?? 0) + count);
    }
    return [...sums].sort(([a], [b]) => (a < b ? 1 : -1));
  };

  return {
    total: async (): Promise<number> => sum(await childrenOf('')),

    /** The position of the entry with `offset` newer ones before it, or undefined when there are not so many. */
    async locate(offset: number): Promise<Position | undefined> {
      let node = '';
      let skip = offset;
      for (const { separator } of LEVELS) {
        const found = pick(await childrenOf(node), skip);
        // The level above still had counts here, so the two were read at different times: the next entry is older
        // than this node.
        if (!found) return node === '' ? undefined : { before: node, skip: 0 };
        node += separator + found.child;
        skip = found.skip;
        if (skip < NEAR) break;
      }
      return { before: endOf(node), skip };
    },

    /** How many entries are of this time or newer. */
    async atOrAfter(iso: string): Promise<number> {
      const levels = LEVELS.map(async ({ node, start, end }) => {
        const [children, at] = [await childrenOf(iso.slice(0, node)), iso.slice(start, end)];
        return sum(children.filter(([child]) => child > at || (child === at && end === MOMENT_LENGTH)));
      });
      return (await Promise.all(levels)).reduce((total, newer) => total + newer, 0);
    },
  };
}

// The child that holds the entry with `skip` newer ones before it, and how many of those are in that child.
function pick(children: Counts, skip: number): { child: string; skip: number } | undefined {
  let newer = 0;
  for (const [child, count] of children) {
    if (skip < newer + count) return { child, skip: skip - newer };
    newer += count;
  }
  return undefined;
}

const sum = (counts: Counts): number => counts.reduce((total, [, count]) => total + count, 0);
