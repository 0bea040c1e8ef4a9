import { randomUUID } from 'node:crypto';
import { externalService } from '../../../functions/batch/config/external-service.ts';
import { pollSigners } from '../../../functions/batch/external-signer/domain/poll/poll-signers.ts';
import { type Job, jobs, type NewJob, newJob } from '../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists } from '../../../functions/batch/jobs/domain/job/list.ts';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { logger } from '../../../shared/log/logger.ts';
import { commit } from '../../../shared/store/commit.ts';
import { type FakePlatform, startFakePlatform } from '../../functions/batch/external-signer/fake-platform.ts';
import { countCalls } from '../../measure/calls.ts';
import { type Figure, median } from '../measure/figures.ts';
import { startStores } from '../measure/stores.ts';

const JOBS = 1_000;
const AT_ONCE = 8;
const ROUNDS = 5;
// A platform is reached over a network, as the stores are.
const ANSWER_MS = 10;

/** A poll pass over many waiting jobs against the same reads in a bare loop, and its AWS calls. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const { stop } = await startStores();
  const platform = await startFakePlatform();
  platform.answerMs = ANSWER_MS;
  process.env.Signer__BaseAddress = platform.url;
  process.env.Signer__ApiKey = 'app|secret';
  try {
    const documentIds = await makeWaiting(platform);
    const now = () => Date.now();
    const pass = () => pollSigners({ logger: logger('batch'), now, hasTime: () => true });
    const bare = () =>
      forEachConcurrently(AT_ONCE, documentIds, async (id) => {
        await externalService.readDocument(id, deadlineIn(10_000, now));
      });
    const { total, byCommand } = await countCalls(pass);
    await bare();
    // In turns, so that what slows the machine down meanwhile slows both.
    const ratios: number[] = [];
    let detail = '';
    for (let round = 0; round < ROUNDS; round++) {
      const [passMs, bareMs] = [await millisecondsOf(pass), await millisecondsOf(bare)];
      ratios.push(bareMs / passMs);
      detail = `${Math.round(passMs)} ms and ${Math.round(bareMs)} ms`;
    }
    return [
      {
        name: `a poll of ${JOBS} jobs that wait for their signers, against the same reads in a bare loop, each answered after ${ANSWER_MS} ms`,
        ratio: median(ratios),
        promised: { atLeast: 0.5 },
        detail,
      },
      {
        name: `AWS calls of that poll for each job`,
        ratio: total / JOBS,
        promised: { atMost: 0.05 },
        detail: JSON.stringify(byCommand),
      },
    ];
  } finally {
    await platform.stop();
    await stop();
  }
}

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Jobs in AwaitingSigner with their documents. Answers the ids of these. */
async function makeWaiting({ documents }: FakePlatform): Promise<string[]> {
  const startMs = Date.now() - JOBS;
  const made = Array.from({ length: JOBS }, (_, n) => waitingJob(`waiting-${n}.pdf`, startMs + n));
  await forEachConcurrently(AT_ONCE, made, (job) =>
    commit([jobs.creating(job), ...changingLists(undefined, job)]),
  );
  return made.map(({ fileName, dispatch }) => {
    const id = dispatch?.documentId ?? '';
    documents.set(id, {
      ...{ id, name: fileName, tags: [], request: {}, status: 'Pending', statusUpdateReason: null },
      ...{ creationDate: new Date().toISOString(), original: Buffer.alloc(0), signed: Buffer.alloc(0) },
    });
    return id;
  });
}

function waitingJob(fileName: string, nowMs: number): Job {
  const request: NewJob = {
    ...{ id: randomUUID(), fileName, originalPath: fileName, folder: null, inputShare: null, inputKey: null },
    ...{ format: 'Pades', source: 'Upload', parentJobId: null, profileName: 'signer' },
    ...{ externalReference: null, encryption: null, encryptionEnabled: false },
  };
  const dispatch = {
    ...{ begunAtMs: nowMs, documentId: randomUUID(), waitingSinceMs: Date.now(), failedPolls: 0 },
    ...{ cpfs: ['52998224725'], isCanceledThere: null },
  };
  return { ...newJob(request, 'Waits.', nowMs), state: 'AwaitingSigner', dispatch };
}
