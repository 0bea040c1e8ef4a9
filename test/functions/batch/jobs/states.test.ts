import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJob } from '../../../../functions/batch/jobs/domain/job/create-job.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList, type ListedState } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { movingJob } from '../../../../functions/batch/jobs/domain/job/move-job.ts';
import {
  type JobEvent,
  type JobState,
  jobStates,
} from '../../../../functions/batch/jobs/domain/job/states.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { NotAllowed } from '../../../../shared/store/state-machine.ts';
import { runs } from '../../../faults/fuzz.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';

// The specification's table: from, what moves it, to. Retry is not in it: the failed job stays, a new one is created.
const TABLE: readonly (readonly [JobState, JobEvent, JobState])[] = [
  ['Queued', 'pickedUp', 'Processing'],
  ['Queued', 'canceledByOperator', 'Canceled'],
  ['Processing', 'signed', 'Verifying'],
  ['Verifying', 'verified', 'Completed'],
  ['Verifying', 'failed', 'Failed'],
  ['Processing', 'approvalRequired', 'AwaitingApproval'],
  ['Processing', 'dispatched', 'AwaitingSigner'],
  ['Processing', 'movedOn', 'Canceled'],
  // Rule 3: an external-service job that never reached the key.
  ['Processing', 'returned', 'Queued'],
  ['AwaitingApproval', 'approved', 'Queued'],
  ['AwaitingApproval', 'rejectedByApprover', 'Canceled'],
  ['AwaitingApproval', 'canceledByOperator', 'Canceled'],
  ['AwaitingApproval', 'approvalExpired', 'Canceled'],
  ['AwaitingSigner', 'concluded', 'Verifying'],
  ['AwaitingSigner', 'rejectedBySigner', 'Failed'],
  ['AwaitingSigner', 'signerTimedOut', 'Failed'],
  ['AwaitingSigner', 'signerUnreachable', 'Failed'],
  ['AwaitingSigner', 'canceledByOperator', 'Canceled'],
  ['Processing', 'interrupted', 'Failed'],
  ['Verifying', 'interrupted', 'Failed'],
  // A gate or the signature itself refuses: the codes that are recorded on a job (cnab240.invalid, profile.degraded).
  ['Processing', 'failed', 'Failed'],
];

await forFile(ownStores());

const aJob = (nowMs: number) => {
  const id = crypto.randomUUID();
  const request = {
    id,
    fileName: `${id}.txt`,
    originalPath: `input/uploads/${id}.txt`,
    folder: null,
    inputShare: null,
    inputKey: `uploads/${id}/${id}.txt`,
    format: 'Cades',
    source: 'Upload',
    parentJobId: null,
    profileName: 'default',
    externalReference: null,
    encryption: null,
    encryptionEnabled: false,
  } as const;
  return createJob(request, { message: 'Uploaded.', input: { length: 3, etag: '"tag"' } }, nowMs);
};

describe('the states of a job', () => {
  test('have the steps of the specification, and no other', () => {
    const steps = jobStates.states.flatMap((state) =>
      jobStates.events.flatMap((event) => {
        const next = jobStates.next(state, event);
        return next ? [`${state} ${event} ${next}`] : [];
      }),
    );
    expect(steps.toSorted()).toEqual(TABLE.map((row) => row.join(' ')).toSorted());
  });

  test('are eight, of which Completed, Failed and Canceled are the last', () => {
    expect(jobStates.states).toHaveLength(8);
    expect(jobStates.states.filter(jobStates.isTerminal).toSorted()).toEqual([
      'Canceled',
      'Completed',
      'Failed',
    ]);
  });

  /** The shortest way from Queued to a state. */
  const wayTo = (state: JobState): readonly JobEvent[] => {
    const ways = new Map<JobState, readonly JobEvent[]>([['Queued', []]]);
    for (const [from, way] of ways)
      for (const [start, event, to] of TABLE)
        if (start === from && !ways.has(to)) ways.set(to, [...way, event]);
    return ways.get(state) ?? expect.fail(state);
  };

  test.each(TABLE)('%s: %s leads to %s', async (from, event, to) => {
    let job = await aJob(Date.now());
    for (const each of [...wayTo(from), event]) {
      const { after, writes } = movingJob(job, { event: each, message: each }, Date.now());
      await commit(writes);
      job = after;
    }
    const stored = await jobs.get(job.id);
    expect(stored?.history.slice(-2).map(({ status }) => status)).toEqual([from, to]);
    expect(stored?.state).toBe(to);
  });

  const LISTED: readonly ListedState[] = [
    'Queued',
    'Completed',
    'Failed',
    'Canceled',
    'AwaitingSigner',
    'AwaitingApproval',
  ];
  const listedStatesOf = async (id: string) => {
    const found: string[] = [];
    for (const state of LISTED) {
      const entries = await jobList({ profile: 'default', state }).walk({ limit: 1_000 });
      if (entries.some((entry) => entry.id === id)) found.push(state);
    }
    return found;
  };

  test('are walked by any sequence of events as the table says, with history and lists, and by nothing else', async () => {
    let atMs = Date.UTC(2027, 0, 1);
    const event = fc.constantFrom(...jobStates.events);
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), async (walk) => {
        let job = await aJob(atMs++);
        const passed: JobState[] = ['Queued'];
        for (const each of walk) {
          const expected = TABLE.find(([from, moved]) => from === job.state && moved === each)?.[2];
          const step = { event: each, message: `${each}.` };
          if (expected === undefined) {
            expect(() => movingJob(job, step, atMs)).toThrow(NotAllowed);
            continue;
          }
          const { after, writes } = movingJob(job, step, atMs++);
          await commit(writes);
          // Whoever still has the job as it was before comes too late.
          await expect(commit(movingJob(job, step, atMs).writes)).rejects.toBeInstanceOf(RaceLost);
          passed.push(expected);
          job = after;
        }
        const stored = await jobs.get(job.id);
        expect(stored?.history.map(({ status }) => status)).toEqual(passed);
        expect(stored?.history.map(({ id }) => id)).toEqual(passed.map((_, at) => at + 1));
        const state = passed.at(-1);
        const isInFlight = state === 'Processing' || state === 'Verifying';
        expect(await listedStatesOf(job.id)).toEqual(isInFlight ? [] : [state]);
      }),
      { numRuns: runs(25) },
    );
  });
});
