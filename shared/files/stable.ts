import { setTimeout as pauseFor } from 'node:timers/promises';

/** Equal samples in a row that make a file stable. */
const SAMPLES = 3;
const APART_MS = 500;
const GIVE_UP_AFTER_MS = 60_000;

/** Files whose stability is checked at once. */
export const STABLE_CHECKS_AT_ONCE = 8;

export type StabilityClock = {
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly now?: () => number;
};

//   samples   a . a . a                stable after 1 s
//             a . b . b . b            written meanwhile: the count begins again
//             a . b . c . d ... 60 s   changing: whoever writes it is not done

/**
 * Waits until a file that is not written atomically has the same look in three samples, 500 ms apart. After 60 s it is
 * given up as still changing. A sample of undefined means that there is no file.
 * @example await waitUntilStable(() => store.head(key), (a, b) => a.length === b.length && a.etag === b.etag);
 */
export async function waitUntilStable<T>(
  sample: () => Promise<T | undefined>,
  isSame: (a: T, b: T) => boolean,
  { pause = pauseFor, now = Date.now }: StabilityClock = {},
): Promise<'stable' | 'changing' | 'gone'> {
  const endsAtMs = now() + GIVE_UP_AFTER_MS;
  let last = await sample();
  for (let equal = 1; equal < SAMPLES; ) {
    if (last === undefined) return 'gone';
    if (now() >= endsAtMs) return 'changing';
    await pause(APART_MS);
    const next = await sample();
    equal = next !== undefined && isSame(last, next) ? equal + 1 : 1;
    last = next;
  }
  return 'stable';
}
