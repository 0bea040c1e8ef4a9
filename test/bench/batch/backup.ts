import { fork } from 'node:child_process';
import { once } from 'node:events';
import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { jobList } from '../../../functions/batch/jobs/domain/job/list.ts';
import { runPipeline } from '../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { type Attributes, toAttributes } from '../../../shared/store/item.ts';
import { type Figure, median } from '../measure/figures.ts';
import { rawPdf } from '../measure/raw-pdf.ts';
import { startWorld } from './parts/world.ts';

const ITEMS = 20_000;
const ITEM_BYTES = 600;
const SEGMENTS = 4;
const ROUNDS = 3;
const JOBS_PER_ROUND = 400;
const PDF_BYTES = 20 * 1024;
// The first look of a worker comes after so long: no backup is made in less.
const ROUND_SECONDS = 5;

type Made = { readonly seconds: number; readonly items: number; readonly state: string };

/** A backup against a bare parallel scan of the same table, and the pipeline while one runs against without. */
export async function figures(): Promise<Figure[]> {
  Object.assign(process.env, { Backup__Enabled: 'true', Log__Level: 'ERROR' });
  const world = await startWorld();
  const worker = fork(new URL('./parts/backup-process.ts', import.meta.url), [], { env: process.env });
  const backUp = async (): Promise<Made> => {
    worker.send('begin');
    const [made] = (await once(worker, 'message')) as [Made];
    if (made.state !== 'Succeeded') throw new Error(`The backup is ${made.state}.`);
    return made;
  };
  try {
    await fillTable();
    const rates: { bare: number; backup: number }[] = [];
    await scanBare();
    await backUp();
    for (let n = 0; n < ROUNDS; n++) {
      const bare = await scanBare();
      const { items, seconds } = await backUp();
      rates.push({ bare, backup: items / seconds });
    }
    await jobsPerSecond(world, () => pause(ROUND_SECONDS));
    const jobRates: { without: number; during: number }[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const during = await jobsPerSecond(world, () => Promise.all([backUp(), pause(ROUND_SECONDS)]));
      const without = await jobsPerSecond(world, () => pause(during.seconds));
      jobRates.push({ without: without.rate, during: during.rate });
    }
    return [
      {
        name: `a backup of ${ITEMS} items, from its start to its end, against a bare parallel scan of the table`,
        ratio: median(rates.map(({ bare, backup }) => backup / bare)),
        promised: { atLeast: 0.5 },
        detail: `${median(rates.map(({ backup }) => backup)).toFixed(0)} and ${median(rates.map(({ bare }) => bare)).toFixed(0)} items/s, ${SEGMENTS} segments`,
      },
      {
        name: 'the pipeline, jobs from claim to Completed, while a backup of that table is made, against without one',
        ratio: median(jobRates.map(({ without, during }) => during / without)),
        promised: { atLeast: 0.8 },
        detail: `${median(jobRates.map(({ during }) => during)).toFixed(1)} and ${median(jobRates.map(({ without }) => without)).toFixed(1)} jobs/s, one at a time, in the ${ROUND_SECONDS} s in which it is made`,
      },
    ];
  } finally {
    worker.kill();
    await world.stop();
  }
}

const pause = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1_000));

async function fillTable(): Promise<void> {
  const TableName = tableName('batch');
  const text = 'x'.repeat(ITEM_BYTES);
  const groups = Array.from({ length: ITEMS / 25 }, (_, group) =>
    Array.from({ length: 25 }, (_each, n) => ({
      PutRequest: { Item: toAttributes({ pk: `BENCH#${group * 25 + n}`, sk: 'ITEM', text, n }) },
    })),
  );
  await forEachConcurrently(8, groups, async (requests) => {
    await dynamo().send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  });
}

/** Items a second of a scan that does nothing with them. */
async function scanBare(): Promise<number> {
  const startedAt = performance.now();
  let items = 0;
  const scan = async (Segment: number): Promise<void> => {
    let start: Attributes | undefined;
    do {
      const page = await dynamo().send(
        new ScanCommand({
          TableName: tableName('batch'),
          ConsistentRead: true,
          Segment,
          TotalSegments: SEGMENTS,
          ExclusiveStartKey: start,
        }),
      );
      items += page.Items?.length ?? 0;
      start = page.LastEvaluatedKey;
    } while (start);
  };
  await Promise.all(Array.from({ length: SEGMENTS }, (_, segment) => scan(segment)));
  return (items * 1_000) / (performance.now() - startedAt);
}

/** Jobs a second that one worker completes while something else lasts. */
async function jobsPerSecond(
  world: Awaited<ReturnType<typeof startWorld>>,
  meanwhile: () => Promise<unknown>,
): Promise<{ readonly rate: number; readonly seconds: number }> {
  const pdf = rawPdf(PDF_BYTES);
  const waiting = (await jobList({ state: 'Queued' }).slice({ offset: 0, limit: 0 })).total;
  for (let n = waiting; n < JOBS_PER_ROUND; n++) await world.upload(pdf);
  const before = await completed();
  const startedAt = performance.now();
  let isOver = false;
  const running = runPipeline({ ...world.worker, hasTime: () => !isOver });
  await meanwhile();
  isOver = true;
  await running;
  const seconds = (performance.now() - startedAt) / 1_000;
  const left = (await jobList({ state: 'Queued' }).slice({ offset: 0, limit: 0 })).total;
  if (left === 0) throw new Error('The pipeline had nothing left to do: queue more jobs.');
  return { rate: ((await completed()) - before) / seconds, seconds };
}

const completed = async (): Promise<number> =>
  (await jobList({ state: 'Completed' }).slice({ offset: 0, limit: 0 })).total;
