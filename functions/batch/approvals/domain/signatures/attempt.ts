import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { CadesState } from '../../../../../shared/signing/cades/prepare.ts';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { canceling } from '../../../../../shared/store/due/message.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { errors } from '../../../errors.ts';
import type { SignatureMeans } from '../../../jobs/domain/job/approver-signatures.ts';
import { taskMessage } from '../../../jobs/domain/job/tasks.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import type { LabelsOf } from '../../../operations/domain/metrics-table.ts';
import type { DecisionRequest } from '../decide.ts';

/** How an attempt ended: a value of the metric's label. */
export type SignatureOutcome = LabelsOf<'bulk_approver_signatures_total'>['outcome'];

/**
 * An approver's attempt to approve a job by signing it. It is opened before the certificate is known, and ends once: with
 * a signature, a refusal, a failure that the page or the provider tells, or when its time is over.
 *
 *   opened -- certificate judged, bytes prepared -- signed elsewhere -- signature checked, decision recorded
 *                 |- refused                            |- failed            |- refused
 *                 |- (nobody comes back) abandoned      |- abandoned
 */
export type SignatureAttempt = {
  readonly id: string;
  readonly means: SignatureMeans;
  /** The decision that a signature records. */
  readonly decision: Omit<DecisionRequest, 'signature' | 'verdict' | 'reason'>;
  /** The prepared signature, once the certificate is known. */
  readonly state: CadesState | null;
  /** Null while it is open. */
  readonly outcome: SignatureOutcome | null;
  readonly expiresAtMs: number;
};

/** Enough to find a certificate file, or to authorize at a provider and wait for its signature. */
const ATTEMPT_MS = 15 * 60_000;
const DAY_SECONDS = 86_400;

export const attempts = collection<SignatureAttempt, string>({
  service: 'batch',
  name: 'signature attempt',
  id: ({ id }) => id,
  key: (id) => ({ pk: `SIGNATURE-ATTEMPT#${id}`, sk: 'ATTEMPT' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) + DAY_SECONDS }),
});

const isAttemptId = (text: string): boolean => z.uuid().safeParse(text).success;

const expiryIdOf = (id: string): string => `signature:${id}`;

/** The newest attempts of a person at a job, the oldest first. Some may have ended. */
type RecentAttempts = {
  readonly jobId: string;
  readonly email: string;
  readonly opened: readonly Pick<SignatureAttempt, 'id' | 'expiresAtMs'>[];
};

const recentAttempts = collection<RecentAttempts, Pick<RecentAttempts, 'jobId' | 'email'>>({
  service: 'batch',
  name: 'recent signature attempts',
  id: ({ jobId, email }) => ({ jobId, email }),
  key: ({ jobId, email }) => ({ pk: `SIGNATURE-ATTEMPTS#${jobId}`, sk: email }),
  indexed: ({ opened }) => ({
    ttl: Math.ceil((opened.at(-1)?.expiresAtMs ?? 0) / 1000) + DAY_SECONDS,
  }),
});

// A window, another one, and one that was closed. Each open attempt is a row and a task.
const MAX_OPEN_ATTEMPTS = 3;

/**
 * Opens an attempt. The outbox has a task that counts it as abandoned when its time is over. Beyond a few, the oldest
 * attempt of the person at the job is abandoned at once: nobody is refused because of windows that they closed.
 */
export async function openAttempt(
  means: SignatureMeans,
  decision: SignatureAttempt['decision'],
  nowMs: number,
): Promise<Stored<SignatureAttempt>> {
  const { jobId, email } = decision;
  const id = randomUUID();
  const expiresAtMs = nowMs + ATTEMPT_MS;
  const expiry = taskMessage(
    { task: 'expireSignature', attemptId: id },
    { id: expiryIdOf(id), dueAtMs: expiresAtMs },
  );
  const opening = attempts.creating({ id, means, decision, state: null, outcome: null, expiresAtMs });
  const replaced = await retryOnConflict(
    async () => {
      const recent = await recentAttempts.get({ jobId, email });
      const opened = [
        ...(recent?.opened ?? []).filter((each) => each.expiresAtMs > nowMs),
        { id, expiresAtMs },
      ];
      const kept = { jobId, email, opened: opened.slice(-MAX_OPEN_ATTEMPTS) };
      const listing = recent ? recentAttempts.changing(recent, kept) : recentAttempts.creating(kept);
      await commit([opening, expiry, listing]);
      return opened.slice(0, -MAX_OPEN_ATTEMPTS);
    },
    { mayCreate: true },
  );
  for (const each of replaced) await endAttempt(each.id, 'abandoned');
  return opening.after;
}

/** The attempt of this person, also one that is over. */
export async function findAttempt(
  id: string,
  address: string,
): Promise<Stored<SignatureAttempt> | undefined> {
  // A text that can be no id may be longer than a key of the store.
  const attempt = isAttemptId(id) ? await attempts.get(id) : undefined;
  return attempt?.decision.email === address ? attempt : undefined;
}

/** The open attempt of this person. Any other is job.not-found, and one that is over approval.not-pending. */
export async function requireAttempt(
  id: string,
  address: string,
  nowMs: number,
): Promise<Stored<SignatureAttempt>> {
  const attempt = await findAttempt(id, address);
  if (!attempt) throw errors.refuse('job.not-found');
  if (attempt.outcome !== null || attempt.expiresAtMs <= nowMs) throw errors.refuse('approval.not-pending');
  return attempt;
}

/** The writes that end an attempt and count it. Refused with RaceLost when it ended otherwise. */
export const endingAttempt = (attempt: Stored<SignatureAttempt>, outcome: SignatureOutcome): Write[] => [
  attempts.changing(attempt, { outcome }),
  counting('bulk_approver_signatures_total', { outcome, means: attempt.means }),
  canceling('batch', expiryIdOf(attempt.id)),
];

/** Ends an attempt that is open, and leaves alone one that ended already. */
export const endAttempt = (id: string, outcome: SignatureOutcome): Promise<void> =>
  retryOnConflict(async () => {
    const attempt = await attempts.get(id);
    if (attempt && attempt.outcome === null) await commit(endingAttempt(attempt, outcome));
  });

/** Ends an attempt whose page tells that it failed. Nothing happens to one that ended already; others' are job.not-found. */
export async function failAttempt(id: string, address: string): Promise<void> {
  const attempt = await findAttempt(id, address);
  if (attempt?.means !== 'browser') throw errors.refuse('job.not-found');
  await endAttempt(id, 'browser-failed');
}
