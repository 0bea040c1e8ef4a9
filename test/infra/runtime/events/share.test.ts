import { expect, test } from 'vitest';
import { shareOf } from '../../../../infra/runtime/events/share.ts';
import type { Triggers } from '../../../../infra/runtime/events/triggers.ts';

const triggers = {
  queues: [2, 5, 8].map((concurrency) => ({ queueName: `q${concurrency}`, concurrency })),
  schedules: [{ functionName: 's' }],
} as unknown as Triggers;

test('processes that share the queues keep to the limit of each queue together, and one runs the schedules', () => {
  const shares = [0, 1, 2].map((index) => shareOf(triggers, { index, of: 3 }));
  const sumOf = (name: string) =>
    shares
      .flatMap(({ queues }) => queues)
      .filter(({ queueName }) => queueName === name)
      .reduce((sum, { concurrency }) => sum + concurrency, 0);
  expect(['q2', 'q5', 'q8'].map(sumOf)).toEqual([2, 5, 8]);
  expect(shares.map(({ schedules }) => schedules.length)).toEqual([1, 0, 0]);
  expect(shares[2]?.queues.map(({ queueName }) => queueName)).toEqual(['q5', 'q8']);
});
