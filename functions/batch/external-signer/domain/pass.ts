import { renewRegularly } from '../../../../shared/async/renew-regularly.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';

/**
 * What looks at the external service: a poll of dispatched documents, a sweep of signer folders, checks of notified
 * documents, a recovery of jobs whose workers are gone.
 */
export type PassKind = 'poll' | 'sweep' | 'checks' | 'recovery';

/** The last pass of a kind. One instance at a time makes it. */
export type PassRecord = {
  readonly kind: PassKind;
  readonly startedAtMs: number;
  /** Until then no other pass begins. */
  readonly claimEndsAtMs: number;
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

const CLAIM_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

export type PassEnd = Pick<PassRecord, 'cursor' | 'failures' | 'lastError' | 'notBeforeMs'>;

export type ClaimedPass = {
  /** As the pass before left it. */
  readonly last: PassEnd;
  /** Ends the claim and records how the pass ended, with further writes of the same commit. */
  end(outcome: PassEnd, also?: readonly Write[]): Promise<void>;
};

const NEVER: PassEnd = { cursor: null, failures: 0, lastError: null };

/**
 * Claims the next pass of a kind, and renews the claim until it ends. Undefined while another makes it, while the
 * external service is to be left alone, and where a pass has begun since this one was due: a message may come twice.
 */
export async function claimPass(
  kind: PassKind,
  now: () => number,
  dueAtMs = Number.POSITIVE_INFINITY,
): Promise<ClaimedPass | undefined> {
  const record = await passRecords.get(kind);
  if (record && record.startedAtMs >= dueAtMs) return undefined;
  if (record && Math.max(record.claimEndsAtMs, record.notBeforeMs ?? 0) > now()) return undefined;
  const claimed = await claim(kind, record, now());
  if (!claimed) return undefined;
  let held = claimed;
  // Without a claim two passes meet: each job is changed by its version, and each document claimed once.
  const stop = renewRegularly(RENEW_EVERY_MS, async () => {
    held = await passRecords.change(held, { claimEndsAtMs: now() + CLAIM_MS });
  });
  const { cursor, failures, lastError } = claimed;
  return {
    last: { cursor, failures, lastError },
    async end(outcome, also = []) {
      await stop();
      const ended = { notBeforeMs: 0, ...outcome, claimEndsAtMs: 0 };
      await passRecords.change(held, ended, { also }).catch((error: unknown) => {
        if (!(error instanceof RaceLost)) throw error;
      });
    },
  };
}

async function claim(
  kind: PassKind,
  record: Stored<PassRecord> | undefined,
  nowMs: number,
): Promise<Stored<PassRecord> | undefined> {
  const claimed = { startedAtMs: nowMs, claimEndsAtMs: nowMs + CLAIM_MS };
  try {
    return await (record
      ? passRecords.change(record, claimed)
      : passRecords.create({ kind, ...NEVER, ...claimed }));
  } catch (error) {
    if (error instanceof RaceLost || error instanceof AlreadyExists) return undefined;
    throw error;
  }
}
