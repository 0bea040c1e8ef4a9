import type { Transform } from 'node:stream';
import { Problem } from '../../errors/errors.ts';
import { commonSettings } from '../../settings/common.ts';

// A window is looked at this often, to see whether its reader was the slow one.
const LOOKS_PER_WINDOW = 4;

/** The refusal of a body that trickles. */
export const tooSlow = (): Problem =>
  new Problem('tooSlow', {
    reason: 'the body arrives too slowly',
    minBytes: commonSettings['Http:MinBodyBytesPerWindow'],
    windowSeconds: commonSettings['Http:BodyWindow'],
  });

/**
 * Ends a stream in which too few bytes arrive in a window. Time in which its reader takes nothing is the reader's own
 * and does not count. Gives the function that ends the watch.
 * @example const stop = watchPace(limit, () => seenBytes);
 */
export function watchPace(through: Transform, seenBytes: () => number): () => void {
  let looks = 0;
  let seenBefore = 0;
  let isReaderSlow = false;
  const look = (): void => {
    isReaderSlow ||= through.writableNeedDrain || through.readableLength >= through.readableHighWaterMark;
    looks += 1;
    if (looks < LOOKS_PER_WINDOW) return;
    const arrived = seenBytes() - seenBefore;
    if (arrived < commonSettings['Http:MinBodyBytesPerWindow'] && !isReaderSlow) through.destroy(tooSlow());
    looks = 0;
    seenBefore = seenBytes();
    isReaderSlow = false;
  };
  const timer = setInterval(look, (commonSettings['Http:BodyWindow'] * 1000) / LOOKS_PER_WINDOW);
  timer.unref();
  return () => clearInterval(timer);
}
