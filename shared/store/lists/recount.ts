import { createHash } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Attributes } from '../item.ts';
import { PART_END } from '../ledger/ledger.ts';
import type { LedgerRecord } from '../ledger/shard.ts';
import { HEAD } from '../ledger/shard.ts';
import { contentOf, type StoredContent } from '../ledger/tree.ts';
import { RECORD_PREFIX, type Write } from '../write.ts';
import { countsOfAmount, partOf } from './counts.ts';

/** One thing that was counted twice: from the items that cause it, and as the store has it. */
export type Recounted = {
  readonly what: string;
  readonly expected: number;
  readonly found: number;
  /** The same number may be of others. */
  readonly isSame: boolean;
};

const BITS = 64;

/**
 * Compares two multisets of any size by their counts and by the sums of hashes, in little memory.
 * @example const names = tally('names'); names.expect('a.pdf', 2); names.find('a.pdf', 2); names.result().isSame // true
 */
export function tally(what: string) {
  const counts = { expected: 0, found: 0 };
  let difference = 0n;
  const add = (name: string, amount: number, sign: 1n | -1n): void => {
    const hash = createHash('sha256').update(name).digest().readBigUInt64BE();
    difference = BigInt.asUintN(BITS, difference + sign * BigInt(amount) * hash);
  };
  return {
    expect(name: string, amount = 1): void {
      counts.expected += amount;
      add(name, amount, 1n);
    },
    find(name: string, amount = 1): void {
      counts.found += amount;
      add(name, amount, -1n);
    },
    result: (): Recounted => ({ what, ...counts, isSame: difference === 0n }),
  };
}

const ENTRY = /^LIST#(.+)#[^#]+#\d+$/;
const SHARD = /^LEDGER#(.+)#\d+$/;
const NODE = /^(LEDGER#(.+)#\d+)#NODE#(.*)$/;

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/**
 * Recounts numbered lists: the entries, and every count of their ledgers. `expect` takes the writes that would add an item
 * to its lists, `see` every item of the table.
 * @example const lists = recountLists((name) => name === 'events'); lists.see(item); lists.results();
 */
export function recountLists(isCounted: (list: string) => boolean) {
  const entries = tally('entries of lists');
  const counts = tally('counts of lists');
  const records: (LedgerRecord & { readonly pk: string })[] = [];
  const folded = new Set<string>();

  /** Whether an amount or a node of a ledger, which others than lists may share, is of a list that is counted. */
  const isPartCounted = (pk: string, name: string): boolean =>
    isCounted(partOf(name).slice(0, -PART_END.length) || (SHARD.exec(pk)?.[1] ?? ''));

  const countAmounts = (
    pk: string,
    amounts: Readonly<Record<string, number>>,
    count: (name: string, amount: number) => void,
  ): void => {
    for (const [name, amount] of Object.entries(amounts))
      if (isPartCounted(pk, name))
        for (const { node, field } of countsOfAmount(name)) count(nameOf(pk, node, field), amount);
  };
  const seeCounts = (pk: string, node: string, stored: StoredContent): void => {
    if (!isPartCounted(pk, node)) return;
    for (const [name, amount] of contentOf(stored).amounts) {
      const path = countsOfAmount(name);
      const level = path.findIndex((place) => place.node === node);
      for (const place of path.slice(level)) counts.find(nameOf(pk, place.node, place.field), amount);
    }
  };

  return {
    expect(writes: readonly Write[]): void {
      for (const write of writes) {
        if ('amounts' in write) countAmounts(write.pk, write.amounts, counts.expect);
        else {
          const { pk, sk } = write.item.Put?.Item ?? {};
          entries.expect(nameOf(pk?.S ?? '', sk?.S ?? ''));
        }
      }
    },

    see(attributes: Attributes): void {
      const [pk, sk] = [attributes.pk?.S ?? '', attributes.sk?.S ?? ''];
      const [, list] = ENTRY.exec(pk) ?? [];
      if (list !== undefined) {
        if (isCounted(list)) entries.find(nameOf(pk, sk));
        return;
      }
      const [, shard = '', ofNode, node = ''] = NODE.exec(pk) ?? [];
      const [, ofShard] = SHARD.exec(pk) ?? [];
      if (!isCounted(ofNode ?? ofShard ?? '')) return;
      const { pk: _, sk: __, generation, folded: names, nodes, ...values } = unmarshall(attributes);
      if (ofNode !== undefined) seeCounts(shard, node, values);
      else if (sk.startsWith(RECORD_PREFIX)) records.push({ pk, sk, amounts: values.amounts });
      else if (sk === HEAD) {
        seeCounts(pk, '', values);
        for (const name of (names ?? []) as string[]) folded.add(nameOf(pk, name));
      }
    },

    /** After the last item. */
    results(): Recounted[] {
      for (const { pk, sk, amounts } of records)
        if (!folded.has(nameOf(pk, sk))) countAmounts(pk, amounts, counts.find);
      return [entries.result(), counts.result()];
    },
  };
}
