import { expect, test } from 'vitest';
import { shards } from '../../../shared/store/shards.ts';

const { of, all } = shards('VERDICTS', 8);

test('ids are spread evenly over the shards, consecutive ones too', () => {
  const found = Array.from({ length: 8_000 }, (_, n) => of(String(n)));
  const counts = all.map((shard) => found.filter((each) => each === shard).length);
  expect(counts.reduce((sum, count) => sum + count)).toBe(8_000);
  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect(Math.max(...counts)).toBeLessThan(1_100);
});

test('an id has one shard for ever: stored items are found by it', () => {
  expect(['a', 'b', '52998224725'].map(of)).toMatchInlineSnapshot(`
    [
      "VERDICTS#2",
      "VERDICTS#6",
      "VERDICTS#5",
    ]
  `);
});
