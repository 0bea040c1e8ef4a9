import { expect, test } from 'vitest';
import { commit } from '../../../../shared/store/commit.ts';
import { ledger } from '../../../../shared/store/ledger/ledger.ts';
import { countsOfAmount } from '../../../../shared/store/lists/counts.ts';
import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { countCalls } from '../../../measure/calls.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);

function freshLists() {
  const name = crypto.randomUUID();
  const shared = { name, shards: 4 };
  const options = { service: 'sandbox', random: () => 1 } as const;
  const list = (part: string, ...views: string[]) =>
    numberedList({ ...options, name: part, ledger: shared, ...(views.length > 0 && { views }) });
  const metrics = ledger({ ...options, ...shared, part: 'metrics', countsOf: countsOfAmount });
  const all = list(name);
  const [ours, theirs] = ['ours', 'theirs'].map((part) => `${name}/${part}`);
  // The process of the metrics has chosen the other shard.
  const add = (id: string, state: string): Write[] => [
    ...all.changing(undefined, { id, atMs: NOON_MS, views: [state] }),
    ...list(ours ?? '').changing(undefined, { id: `${id}-other`, shardBy: id, atMs: NOON_MS }),
    metrics.addingAnywhere({ 'added{at="a@b"}': 1 }, 0),
    metrics.addingAnywhere({ 'added{at="a@b"}': 1 }, 1),
  ];
  const countAll = async () => ({
    all: (await all.count()).total,
    done: (await list(name, 'Done').page({ page: 1, pageSize: 10 })).total,
    ours: (await list(ours ?? '').page({ page: 1, pageSize: 10 })).ids,
    theirs: (await list(theirs ?? '').count()).total,
    metrics: Object.fromEntries(await metrics.read((readNode) => readNode(''))),
  });
  return { add, all, metrics, countAll };
}

test('what a commit counts in several parts of a ledger is one record', async () => {
  const { add } = freshLists();
  const { byKind } = await countCalls(() => commit(add('a', 'Done')));
  expect(byKind).toEqual({ LIST: 3, LEDGER: 1 });
});

test('the parts of a ledger have their own counts, before and after a fold by any of them', async () => {
  const { add, all, metrics, countAll } = freshLists();
  await commit(add('a', 'Done'));
  await commit(add('b', 'Open'));
  const expected = {
    all: 2,
    done: 1,
    ours: ['b-other', 'a-other'],
    theirs: 0,
    metrics: { 'added{at="a@b"}': 4 },
  };
  expect(await countAll()).toEqual(expected);
  await metrics.fold();
  expect(await countAll()).toEqual(expected);
  await commit([metrics.addingAnywhere({ alone: 1 }, 1)]);
  await all.fold();
  expect(await countAll()).toEqual({ ...expected, metrics: { ...expected.metrics, alone: 1 } });
});
