import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStores, type Stores } from '../../../../shared/embedded/stores.ts';
import { runs } from '../../../faults/fuzz.ts';
import type { Command, Meeting, Sequence } from './model/commands.ts';
import { sequence } from './model/commands.ts';
import { type Model, newModel, type Outcome } from './model/model.ts';
import { runOn, tableOf } from './model/store.ts';

// All of them take minutes.
const SEQUENCES = runs(10_000, 0.015);

test('the store answers random commands as a map of items does', { timeout: 1_800_000 }, async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(sequence, (steps) => follow(steps, seen)),
    { numRuns: SEQUENCES },
  );
  // What never happens is not tested.
  for (const outcome of OUTCOMES) expect(seen.get(outcome), outcome).toBeGreaterThan(0);
});

const OUTCOMES = [
  'answer',
  'ConditionalCheckFailedException',
  'ConditionalCheckFailed',
  'ValidationException',
  'ValidationError',
  'TransactionConflictException',
  'TransactionConflict',
];

async function follow({ rangeType, isStrict, steps }: Sequence, seen: Map<string, number>): Promise<void> {
  // A second for each look: the limits of partition keys are not what this is about.
  let now = 0;
  const holds: Promise<unknown>[] = [];
  const stores = openStores({
    now: () => (now += 1_000),
    strict: isStrict ? { hold: () => holds.shift() ?? Promise.resolve() } : undefined,
  });
  const model = newModel();
  try {
    await stores.tables.run('CreateTable', tableOf(rangeType));
    for (const step of steps) {
      const [told, expected] =
        step.do === 'meet'
          ? await meet(stores, model, step, isStrict ? holds : undefined)
          : [[await runOn(stores.tables, step)], [model.run(step)]];
      deepStrictEqual(told, expected);
      for (const outcome of expected) count(outcome, seen);
    }
    for (const index of [undefined, 'by-g', 'by-s']) {
      const whole = { do: 'scan', index, isCount: false } as const;
      deepStrictEqual(await runOn(stores.tables, whole), model.run(whole));
    }
  } finally {
    stores.close();
  }
}

function count(outcome: Outcome, seen: Map<string, number>): void {
  const names =
    'answer' in outcome ? ['answer'] : [outcome.error, ...(outcome.reasons ?? []).map(({ code }) => code)];
  for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
}

const isRead = ({ do: kind }: Command): boolean => !['write', 'transact', 'batchWrite'].includes(kind);

// In strict mode the first transaction has its items until the others were answered:
//
//   first   |--has its items-------------------------------|--commits--|
//   others     |--refused where they meet it, or answered--|
//
// Otherwise all are of one turn. Reads see what was before it, and writes are made in their order.
async function meet(
  { tables }: Stores,
  model: Model,
  { first, others }: Meeting,
  holds: Promise<unknown>[] | undefined,
): Promise<[Outcome[], Outcome[]]> {
  if (!holds) {
    const told = await Promise.all([first, ...others].map((each) => runOn(tables, each)));
    const reads = new Map(others.filter(isRead).map((each) => [each, model.run(each)]));
    return [told, [first, ...others].map((each) => reads.get(each) ?? model.run(each))];
  }
  const held = model.heldBy(first.writes);
  const { promise, resolve } = Promise.withResolvers<void>();
  if (held.size > 0) holds.push(promise);
  const begun = runOn(tables, first);
  const told: Outcome[] = [];
  const expected: Outcome[] = [];
  for (const each of others) {
    told.push(await runOn(tables, each));
    expected.push(model.run(each, held));
  }
  resolve();
  return [
    [...told, await begun],
    [...expected, model.run(first)],
  ];
}
