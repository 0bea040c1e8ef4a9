import { randomBytes } from 'node:crypto';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { batchClient } from '../measure/batch-client.ts';
import type { Figure } from '../measure/figures.ts';
import { functionsMemory, mostMore } from '../measure/functions-memory.ts';

const MB = 1024 * 1024;
const SMALL_MB = 1;
const LARGE_MB = 400;
const ROOM_BYTES = 64 * MB;
const WARM_UPS = 5;

// New bytes for each chunk, as from a disk.
function* content(megabytes: number): Generator<Buffer> {
  for (let n = 0; n < megabytes * 16; n++) yield randomBytes(MB / 16);
}

/** The memory of the functions' processes for a large file: uploaded, signed, encrypted and downloaded. */
export async function figures(): Promise<Figure[]> {
  const engine = await startEngineProcess({ env: { Upload__MaxBytes: String(2 * LARGE_MB * MB) } });
  await engine.ready();
  try {
    const client = batchClient(engine.url);
    const functions = functionsMemory(engine.process.pid ?? 0);
    let files = 0;
    const step = async <T>(work: () => Promise<T>): Promise<{ value: T; peaks: readonly number[] }> => {
      functions.resetPeak();
      const value = await work();
      return { value, peaks: functions.peaks() };
    };
    const peaksOf = async (megabytes: number) => {
      const name = `memory-${++files}.bin`;
      const upload = await step(() => client.upload(name, content(megabytes), '?profile=encrypted'));
      const job = await step(() => client.completed(upload.value));
      const download = await step(() => client.download(upload.value));
      if (download.value < megabytes * MB) throw new Error(`The output has ${download.value} bytes.`);
      return { upload: upload.peaks, job: job.peaks, download: download.peaks };
    };
    for (let n = 0; n < WARM_UPS; n++) await peaksOf(SMALL_MB);
    const small = await peaksOf(SMALL_MB);
    const large = await peaksOf(LARGE_MB);
    const steps = ['upload', 'job', 'download'] as const;
    return steps.map((name) => {
      const { before, after } = mostMore(small[name], large[name]);
      return {
        name: `batch, ${LARGE_MB} MB against ${SMALL_MB} MB, Cades and encrypted: more memory of a process of the functions for the ${name}, of 64 MB`,
        ratio: Math.max(0, after - before) / ROOM_BYTES,
        // See RESULTS.md for the upload.
        promised: { atMost: name === 'upload' ? 1.5 : 1 },
        detail: `${Math.round(after / MB)} MB and ${Math.round(before / MB)} MB`,
      };
    });
  } finally {
    await cleanUp();
  }
}
