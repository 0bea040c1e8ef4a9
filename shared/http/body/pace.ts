import { Problem } from '../../errors/errors.ts';
import { commonSettings } from '../../settings/common.ts';

/** In the time of Http:BodyWindow, of a body or of an answer. A modem is faster. */
export const MIN_BYTES_PER_WINDOW = 10_240;
// Samples per window, to see whether the reader was slow and not the sender.
const SAMPLES_PER_WINDOW = 4;

/** The refusal of a body that trickles. */
export const tooSlow = (): Problem =>
  new Problem('tooSlow', {
    reason: 'the body arrives too slowly',
    minBytes: MIN_BYTES_PER_WINDOW,
    windowSeconds: commonSettings['Http:BodyWindow'],
  });

/** What is watched. Something that keeps all that it is given is never slow itself. */
type Paced = {
  readonly destroy: (error: Error) => unknown;
  readonly writableNeedDrain?: boolean;
  readonly readableLength?: number;
  readonly readableHighWaterMark?: number;
};

/**
 * Slow loris: ends a stream in which too few bytes arrive in a window. Time in which the reader takes nothing does not
 * count. Returns the function that stops the watch.
 * @example const stop = watchPace(limit, () => seenBytes);
 */
export function watchPace(through: Paced, seenBytes: () => number): () => void {
  let samples = 0;
  let seenBefore = 0;
  let isReaderSlow = false;
  const sample = (): void => {
    const { writableNeedDrain = false, readableLength = 0, readableHighWaterMark = 1 } = through;
    isReaderSlow ||= writableNeedDrain || readableLength >= readableHighWaterMark;
    samples += 1;
    if (samples < SAMPLES_PER_WINDOW) return;
    const arrived = seenBytes() - seenBefore;
    if (arrived < MIN_BYTES_PER_WINDOW && !isReaderSlow) through.destroy(tooSlow());
    samples = 0;
    seenBefore = seenBytes();
    isReaderSlow = false;
  };
  const timer = setInterval(sample, (commonSettings['Http:BodyWindow'] * 1000) / SAMPLES_PER_WINDOW);
  timer.unref();
  return () => clearInterval(timer);
}
