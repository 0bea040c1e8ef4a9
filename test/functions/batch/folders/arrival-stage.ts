import { vi } from 'vitest';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { TASKS_QUEUE } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { eventList } from '../../../../functions/batch/operations/domain/events.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { toRecord } from '../../../../infra/runtime/events/lambda-batch.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { bucketName } from '../../../../shared/settings/names.ts';
import { drainQueue } from '../../drain-queue.ts';
import { batchStage } from '../stage.ts';

const store = () => files('batch');

/** The batch service with two folders, `inbox` and `other`, and `spare`, which no profile has selected. */
export async function arrivalStage() {
  const stage = await batchStage();
  vi.stubEnv('Storage__Inputs', 'inbox=input/inbox,other=input/other,spare=input/spare');
  await stage.profile({ name: 'default', default: true, inputFolder: 'inbox' });
  await stage.profile({ name: 'second', inputFolder: 'other' });

  /** Every job of this name, oldest first. */
  const jobsOf = async (fileName: string): Promise<Job[]> => {
    const { ids } = await jobList().page({ page: 1, pageSize: 200 });
    const found = (await jobs.getMany(ids)).filter((job) => job.fileName === fileName);
    return found.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  };

  /** Hands the notifications of the bucket to their worker. */
  const arrive = () => drainQueue('batch', 'arrivals', takeArrivals);

  return {
    ...stage,
    arrive,
    jobsOf,
    keysOf,
    textOf: async (key: string): Promise<string | undefined> =>
      (await store().read(key, 1_000_000))?.toString(),
    put: (key: string, content: string) =>
      store().put(key, Buffer.from(content), { contentType: 'application/octet-stream' }),
    remove: (key: string) => store().remove(key),
    /** Puts a file into a folder, and tells the service. Answers the job of its name that was created last. */
    async drop(name: string, content: string, folder = 'inbox'): Promise<Job | undefined> {
      await store().put(`input/${folder}/${name}`, Buffer.from(content), { contentType: 'text/plain' });
      await arrive();
      return (await jobsOf(name)).at(-1);
    },
    /** What is due by now is sent to its worker. */
    async sweep(laterMs = 0): Promise<void> {
      await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => Date.now() + laterMs)();
      await drainQueue('batch', TASKS_QUEUE, runTask);
    },
    countOf: (series: string) =>
      metricsLedger.read(async (readNode) => {
        const found = [...(await readNode(''))].filter(([field]) => field.startsWith(series));
        return found.reduce((sum, [, count]) => sum + count, 0);
      }),
    eventsOf: async (type: 'InputDiverged' | 'JobFailed'): Promise<number> =>
      (await eventList(type).slice({ offset: 0, limit: 0 })).total,
  };
}

export const keysOf = async (prefix: string): Promise<string[]> =>
  (await store().list(prefix)).files.map(({ key }) => key);

const encodeKey = (key: string): string =>
  encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');

/** A record as S3 sends it. */
export const s3Record = (key: string, eventName = 'ObjectCreated:Put', bucket = bucketName('batch')) => ({
  eventName,
  s3: { bucket: { name: bucket }, object: { key: encodeKey(key), size: 1, eTag: 'x', sequencer: '1' } },
});

/** The event of a function whose messages have these bodies. */
export const eventOf = (...bodies: readonly unknown[]) => ({
  Records: bodies.map((body, n) =>
    toRecord({ MessageId: `m${n}`, Body: typeof body === 'string' ? body : JSON.stringify(body) }, ''),
  ),
});

/** The notification of a file, as its worker receives it. */
export const arrivalOf = (...keys: readonly string[]) =>
  eventOf(...keys.map((key) => ({ Records: [s3Record(key)] })));

type Next = (args: { readonly input: { readonly Key?: string } }) => Promise<unknown>;
type Stack = {
  add(
    middleware: (next: Next, context: { readonly commandName?: string }) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

type S3Call = { readonly command: string; readonly key: string };

/** Watches the calls to S3 while something runs. `before` and `after` may wait, and may fail the call. */
export async function watchingS3<T>(
  { before, after }: { before?: (call: S3Call) => unknown; after?: (call: S3Call) => unknown },
  run: () => Promise<T>,
): Promise<T> {
  const stack = s3().middlewareStack as unknown as Stack;
  stack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const call = { command: commandName.replace('Command', ''), key: args.input.Key ?? '' };
        await before?.(call);
        const answer = await next(args);
        await after?.(call);
        return answer;
      },
    { step: 'initialize', name: 'watched' },
  );
  try {
    return await run();
  } finally {
    stack.remove('watched');
  }
}

/** Does something once, at the first call that fits. */
export function onceAt(command: string, key: RegExp, act: () => Promise<unknown>) {
  let isDone = false;
  return async (call: S3Call): Promise<void> => {
    if (isDone || call.command !== command || !key.test(call.key)) return;
    isDone = true;
    await act();
  };
}
