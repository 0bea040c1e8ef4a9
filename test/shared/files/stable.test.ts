import { expect, test } from 'vitest';
import { waitUntilStable } from '../../../shared/files/stable.ts';

/** Samples of a file, one after another, on a clock that only pauses move. The last one repeats. */
function watch(...samples: (string | undefined)[]) {
  let nowMs = 1_000;
  let taken = 0;
  const sampledAtMs: number[] = [];
  const outcome = waitUntilStable(
    async () => {
      sampledAtMs.push(nowMs - 1_000);
      return samples[Math.min(taken++, samples.length - 1)];
    },
    (a, b) => a === b,
    {
      pause: async (ms) => {
        nowMs += ms;
      },
      now: () => nowMs,
    },
  );
  return outcome.then((found) => ({ found, sampledAtMs }));
}

test('a file is stable after three equal samples, 500 ms apart', async () => {
  expect(await watch('a')).toEqual({ found: 'stable', sampledAtMs: [0, 500, 1_000] });
});

test('a file that is written meanwhile is looked at until three samples in a row are equal', async () => {
  const { found, sampledAtMs } = await watch('a', 'a', 'b', 'c', 'c', 'c');
  expect([found, sampledAtMs.length]).toEqual(['stable', 6]);
});

test('a file that keeps changing is given up after 60 s', async () => {
  const always = Array.from({ length: 500 }, (_, n) => `sample ${n}`);
  const { found, sampledAtMs } = await watch(...always);
  expect([found, sampledAtMs.at(-1)]).toEqual(['changing', 60_000]);
});

test('a file that is not there, or goes away between two samples, is gone', async () => {
  expect((await watch(undefined)).found).toBe('gone');
  expect((await watch('a', undefined)).found).toBe('gone');
  expect((await watch('a', 'a', undefined)).found).toBe('gone');
});

test('a sample that fails fails the check', async () => {
  const failing = () => Promise.reject(new Error('The store does not answer.'));
  await expect(waitUntilStable(failing, () => true)).rejects.toThrow('does not answer');
});
