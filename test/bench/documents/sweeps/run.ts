import { fork } from 'node:child_process';
import { once } from 'node:events';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { type DueKind, dueMessage } from '../../../../shared/store/due/message.ts';
import { startStores } from '../../measure/stores.ts';
import type { Counts } from './aws-latency.ts';
import { inWords, MIDNIGHT, type Minute, WORKING_MINUTE } from './day.ts';

// Run by sweeps.ts in a process of its own, which is that of the function: its clients know no other stores.

/** A sweep, and what it took. */
export type SweepRun = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly messages: number;
  readonly detail: string;
};

const SHARES = 4; // as functions.yml of the document platform has them
const PER_COMMIT = 100;
const NOW_MS = 1_000_000_000_000;

const sweep = scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => NOW_MS);

async function timed(run: () => Promise<unknown>) {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** One of the four runs of the busiest minute, against stores that answer as late as AWS's. */
async function onModel(): Promise<SweepRun> {
  const stores = fork(new URL('./aws-latency.ts', import.meta.url), [JSON.stringify(MIDNIGHT)]);
  const [port] = await once(stores, 'message');
  Object.assign(process.env, {
    STAGE: 'local',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
  const taken = await timed(() => sweep({ share: 0, of: SHARES }));
  stores.send('count');
  const [counts] = (await once(stores, 'message')) as [Counts];
  stores.disconnect();
  const calls = (counts.Query + counts.UpdateItem + counts.SendMessageBatch) / counts.sent;
  return {
    ...taken,
    messages: counts.sent,
    detail: `${inWords(MIDNIGHT)}; ${calls.toFixed(2)} calls a message`,
  };
}

/** The busiest minute of working hours, in one run on the local engine's stores. */
async function onEngine(): Promise<SweepRun> {
  const stores = await startStores();
  await record(WORKING_MINUTE);
  const taken = await timed(() => sweep());
  await stores.stop();
  const messages = WORKING_MINUTE.work + WORKING_MINUTE.garbage;
  return { ...taken, messages, detail: inWords(WORKING_MINUTE) };
}

async function record(minute: Minute): Promise<void> {
  const kinds: DueKind[] = (['work', 'garbage'] as const).flatMap((kind) => Array(minute[kind]).fill(kind));
  for (let from = 0; from < kinds.length; from += PER_COMMIT) {
    const writes = kinds.slice(from, from + PER_COMMIT).map((kind, n) => {
      const [queue, body] =
        kind === 'work'
          ? ['tasks', { task: 'conclude', documentId: String(n) }]
          : ['uploads', { uploadId: String(n) }];
      return dueMessage({
        service: 'documents',
        queue: String(queue),
        body,
        kind,
        dueAtMs: NOW_MS - from - n,
      });
    });
    await commit(writes);
  }
}

const run = process.argv[2] === 'model' ? onModel : onEngine;
process.send?.(await run(), () => process.exit(0));
