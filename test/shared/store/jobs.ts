import { collection } from '../../../shared/store/collection.ts';
import { type EventOf, type StateOf, stateMachine } from '../../../shared/store/state-machine.ts';

export const jobStates = stateMachine({
  Queued: { pickedUp: 'Processing', canceled: 'Canceled' },
  Processing: { signed: 'Done', failed: 'Queued', canceled: 'Canceled' },
  Done: {},
  Canceled: {},
});

export type JobEvent = EventOf<typeof jobStates>;

export type Job = {
  readonly id: string;
  readonly state: StateOf<typeof jobStates>;
  readonly note?: string;
  readonly wakeAtMs?: number;
  readonly fence?: number;
  readonly leaseEndsAtMs?: number;
};

/** A small collection to try the store with. */
export const jobs = collection<Job, string>({
  service: 'sandbox',
  name: 'job',
  id: (job) => job.id,
  key: (id) => ({ pk: `TEST-JOB#${id}`, sk: 'JOB' }),
  indexed: ({ wakeAtMs }) => (wakeAtMs === undefined ? {} : { duePk: 'TEST-JOBS', dueAt: wakeAtMs }),
});

export const newJob = (fields: Partial<Job> = {}): Job => ({
  id: crypto.randomUUID(),
  state: 'Queued',
  ...fields,
});
