import type { Work } from '../../../../shared/queue/work.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { type Leased, whileLeased } from '../../../../shared/store/lease.ts';
import type { Write } from '../../../../shared/store/write.ts';

/**
 * What looks at the external service: a poll of dispatched documents, a sweep of signer folders, checks of notified
 * documents, a recovery of jobs whose workers are gone.
 */
export type PassKind = 'poll' | 'sweep' | 'checks' | 'recovery';

/** The last pass of a kind. One instance at a time makes it, and holds the record. */
export type PassRecord = Leased & {
  readonly kind: PassKind;
  readonly startedAtMs: number;
  /** Where the pass stopped for want of time. The next one begins there. */
  readonly cursor: string | null;
  /** Passes in a row that failed. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Until then the external service asks to be left alone. */
  readonly notBeforeMs?: number;
};

export const passRecords = collection<PassRecord, PassKind>({
  service: 'batch',
  name: 'signer pass',
  id: ({ kind }) => kind,
  key: (kind) => ({ pk: 'SIGNER', sk: `PASS#${kind}` }),
});

/** What a pass runs with. */
export type Look = Work & {
  /** When the schedule wanted it. */
  readonly dueAtMs?: number | undefined;
};

const LEASE_MS = 15_000;

export type PassEnd = Pick<PassRecord, 'cursor' | 'failures' | 'lastError' | 'notBeforeMs'>;

export type Pass = {
  /** As the pass before left it. */
  readonly last: PassEnd;
  /** Ends the lease and records how the pass ended, with further writes of the same commit. */
  end(outcome: PassEnd, also?: readonly Write[]): Promise<void>;
};

const NEVER: PassEnd = { cursor: null, failures: 0, lastError: null };

/**
 * Makes the next pass of a kind. False, and nothing is done, while another makes it, while the external service is to be
 * left alone, and where a pass has begun since this one was due: a message may come twice. A pass that loses its lease
 * meets another one: each job is changed by its version, and each document claimed once.
 */
export async function makePass(
  kind: PassKind,
  { now, dueAtMs = Number.POSITIVE_INFINITY }: Pick<Look, 'now' | 'dueAtMs'>,
  make: (pass: Pass) => Promise<void>,
): Promise<boolean> {
  const record = await passRecords.get(kind);
  const nowMs = now();
  if (record && (record.startedAtMs >= dueAtMs || (record.notBeforeMs ?? 0) > nowMs)) return false;
  const { cursor, failures, lastError } = record ?? NEVER;
  const patch = { startedAtMs: nowMs };
  const current = record ?? { kind, ...NEVER, ...patch };
  const made = await whileLeased(passRecords, current, { leaseMs: LEASE_MS, now, patch }, (lease) =>
    make({
      last: { cursor, failures, lastError },
      end: async (outcome, also = []) => void (await lease.finish({ notBeforeMs: 0, ...outcome }, { also })),
    }),
  );
  return made !== 'held';
}
