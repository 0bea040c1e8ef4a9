import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Upload } from '@aws-sdk/lib-storage';
import { s3 } from '../../../shared/files/client.ts';
import { bucketName } from '../../../shared/settings/names.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp, type EngineProcess } from '../../infra/local/engine/engine-process.ts';
import { batchClient, filesPerSecond, startBatchEngine } from '../measure/batch-client.ts';
import type { Figure } from '../measure/figures.ts';
import { functionsMemory, mostMore } from '../measure/functions-memory.ts';

const MB = 1024 * 1024;
const FILES = 500;
const WARM_UP_FILES = 50;
const FILE_BYTES = 10 * 1024;
const LOOK_EVERY_MS = 250;
const SMALL_MB = 1;
const LARGE_MB = 600;
const ROOM_BYTES = 64 * MB;
const WARM_UPS = 5;

type Engine = Pick<EngineProcess, 'url' | 'process'>;
type Content = Uint8Array | Iterable<Uint8Array>;

/** Watched folders: files through a folder against the same files by upload, and the memory for a large one. */
export async function figures(): Promise<Figure[]> {
  const engine = await startBatchEngine();
  joinEngine(engine.dataDir);
  try {
    return [await compareWithUploads(engine), await measureMemory(engine)];
  } finally {
    await cleanUp();
  }
}

/** Puts a file into the folder `inbox`. */
export async function drop(name: string, content: Content): Promise<void> {
  const Body = content instanceof Uint8Array ? content : Readable.from(content, { objectMode: false });
  const params = { Bucket: bucketName('batch'), Key: `input/inbox/${name}`, Body };
  await new Upload({ client: s3(), params }).done();
}

async function compareWithUploads(engine: Engine): Promise<Figure> {
  const client = batchClient(engine.url);
  const perSecond = filesPerSecond(client);
  const dropOne = (name: string) => drop(`${name}.bin`, randomBytes(FILE_BYTES));
  const uploadOne = (name: string) => client.upload(`${name}.bin`, [randomBytes(FILE_BYTES)]);
  await perSecond(WARM_UP_FILES, dropOne);
  await perSecond(WARM_UP_FILES, uploadOne);
  // In turns, so that what slows the machine down meanwhile slows both.
  const half = FILES / 2;
  const rates = { dropped: [] as number[], uploaded: [] as number[] };
  for (let turn = 0; turn < 2; turn++) {
    rates.dropped.push(await perSecond(half, dropOne));
    rates.uploaded.push(await perSecond(half, uploadOne));
  }
  const [dropped, uploaded] = [rates.dropped, rates.uploaded].map(mean) as [number, number];
  return {
    name: `batch, ${FILES} files of 10 KB from their put to Completed through a folder, against the same by upload`,
    ratio: dropped / uploaded,
    promised: { atLeast: 0.7 },
    detail: `${dropped.toFixed(1)} and ${uploaded.toFixed(1)} files/s`,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

// New bytes for each chunk, as from a disk.
function* contentOf(megabytes: number): Generator<Buffer> {
  for (let n = 0; n < megabytes * 16; n++) yield randomBytes(MB / 16);
}

async function measureMemory(engine: Engine): Promise<Figure> {
  const client = batchClient(engine.url);
  const functions = functionsMemory(engine.process.pid ?? 0);
  let files = 0;
  const peakOf = async (megabytes: number): Promise<readonly number[]> => {
    const before = await client.countCompleted();
    functions.resetPeak();
    await drop(`memory-${++files}.bin`, contentOf(megabytes));
    while ((await client.countCompleted()) === before) await pause(LOOK_EVERY_MS);
    return functions.peaks();
  };
  for (let n = 0; n < WARM_UPS; n++) await peakOf(SMALL_MB);
  const small = await peakOf(SMALL_MB);
  const { before, after } = mostMore(small, await peakOf(LARGE_MB));
  return {
    name: `batch, ${LARGE_MB} MB against ${SMALL_MB} MB through a folder, Cades: more memory of a process of the functions, of 64 MB`,
    ratio: Math.max(0, after - before) / ROOM_BYTES,
    promised: { atMost: 1 },
    detail: `${Math.round(after / MB)} MB and ${Math.round(before / MB)} MB`,
  };
}
