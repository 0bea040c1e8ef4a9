import { setTimeout as pause } from 'node:timers/promises';
import { RaceLost } from './refusals.ts';

// Each round one of a crowd wins. With pauses that grow to about half a second, and differ, fifty that act at one
// moment are through in some ten seconds; without them they meet again and again.
const TRIES = 40;
const FIRST_PAUSE_MS = 10;
const MAX_DOUBLINGS = 6;

/**
 * Reads, decides and changes again when somebody else was faster, so that a caller is told of a race only by
 * what it decided.
 * @example return deciding(async () => cancel(await findDocument(id, caller), reason));
 */
export async function retryOnConflict<T>(decide: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof RaceLost) || tries >= TRIES) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** Math.min(tries, MAX_DOUBLINGS));
    }
  }
}
