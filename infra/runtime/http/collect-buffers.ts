// V8 lets 64 MB of buffers come together before it looks which of them are free. So a 400 MB file that flows through
// the functions' process would take as much, though no more than some chunks are in use at a time.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** About a millisecond of work for each of these. */
const COLLECT_EVERY_BYTES = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
let passedBytes = 0;

/** Passes chunks on, and has the buffers of those that have passed collected. All streams are counted together. */
export async function* collectBuffers(source: AsyncIterable<Uint8Array | string>) {
  for await (const chunk of source) {
    yield chunk;
    passedBytes += chunk.length;
    if (passedBytes < COLLECT_EVERY_BYTES) continue;
    passedBytes = 0;
    collect({ type: 'minor' });
  }
}
