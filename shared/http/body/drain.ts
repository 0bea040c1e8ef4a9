import { type Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { watchPace } from './pace.ts';

/** The longest time for which the rest of an unread body is read and dropped. */
const DRAIN_MS = 300_000;

/**
 * Reads the rest of a body and drops it, at the pace that is required of every body: a caller that is still sending would
 * meet a closed connection and not the answer. False when the rest did not arrive.
 * @example if (!(await drainBody(request))) response.setHeader('connection', 'close');
 */
export async function drainBody(source: Readable): Promise<boolean> {
  if (source.readableEnded || source.destroyed) return true;
  let seen = 0;
  const sink = new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      done();
    },
  });
  const stop = watchPace(sink, () => seen);
  const giveUp = () => sink.destroy();
  source.once('close', giveUp);
  try {
    // Not a pipeline, which would end the connection with the body, and the answer with both.
    source.pipe(sink.resume());
    await finished(sink, { signal: AbortSignal.timeout(DRAIN_MS) });
    return true;
  } catch {
    source.unpipe(sink);
    return false;
  } finally {
    source.off('close', giveUp);
    stop();
  }
}
