import fc from 'fast-check';
import { test } from 'vitest';
import { openStores } from '../../../shared/embedded/stores.ts';
import { runs } from '../../faults/fuzz.ts';
import {
  type Command,
  INDEXES,
  type Sequence,
  sequence,
} from '../../shared/embedded/tables/model/commands.ts';
import type { Outcome, Page } from '../../shared/embedded/tables/model/model.ts';
import { runOn, tableOf } from '../../shared/embedded/tables/model/store.ts';
import type { PlainItem } from '../../shared/embedded/tables/model/values.ts';
import { judgeOf } from './engine.ts';
import { newJudge } from './known.ts';
import { TABLE_DIFFERENCES } from './table-differences.ts';
import { tablesAt } from './tables-at.ts';

// All of them take half an hour and more.
const SEQUENCES = runs(10_000, 0.006);

test('the embedded tables answer random commands as an engine does that others wrote', async () => {
  const { name, endpoint } = judgeOf('DYNAMODB');
  const theirs = tablesAt(endpoint);
  const judge = newJudge(name, TABLE_DIFFERENCES);

  async function follow({ rangeType, steps }: Sequence): Promise<void> {
    const stores = openStores();
    const both = [stores.tables, theirs];
    const table = { ...tableOf(rangeType), BillingMode: 'PAY_PER_REQUEST' };
    for (const tables of both) await tables.run('CreateTable', table);
    try {
      // One after the other: which of two that meet is first, is not said.
      for (const command of steps.flatMap((step) =>
        step.do === 'meet' ? [step.first, ...step.others] : [step],
      )) {
        const [our, their] = await Promise.all(both.map((tables) => runOn(tables, command)));
        if (!our || !their) return;
        const isSame = judge.agree(command, settled(command, our), settled(command, their));
        // One wrote, and the other did not.
        if (!isSame && 'error' in our !== 'error' in their) return;
      }
    } finally {
      stores.close();
      await theirs.run('DeleteTable', { TableName: table.TableName });
    }
  }

  await fc.assert(fc.asyncProperty(sequence, follow), { numRuns: SEQUENCES, endOnFailure: true });
  judge.report();
});

/** An answer without what DynamoDB leaves open: where pages end, and the order of items with the same key. */
function settled(command: Command, outcome: Outcome): Outcome {
  if ((command.do !== 'query' && command.do !== 'scan') || 'error' in outcome) return outcome;
  const pages = outcome.answer as readonly Page[];
  const items = pages.flatMap((page) => page.items ?? []);
  const count = sum(pages.map((page) => page.count));
  const scanned = sum(pages.map((page) => page.scanned));
  return {
    answer: {
      count,
      scanned,
      items: command.do === 'scan' ? sorted(items) : inKeyOrder(command.index, items),
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const idOf = ({ pk, sk }: PlainItem): string => JSON.stringify([pk, sk]);
const sorted = (items: readonly PlainItem[]): PlainItem[] =>
  items.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

/** Items of an index with the same key, which are neighbours, by the keys of their table. */
function inKeyOrder(index: string | undefined, items: readonly PlainItem[]): PlainItem[] {
  const range = index ? INDEXES[index as keyof typeof INDEXES].range : 'sk';
  const groups: PlainItem[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && (!range || last[0]?.[range] === item[range])) last.push(item);
    else groups.push([item]);
  }
  return groups.flatMap(sorted);
}
