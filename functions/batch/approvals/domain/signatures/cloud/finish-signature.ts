import type { Deadline } from '../../../../../../shared/async/deadline.ts';
import { Refusal } from '../../../../../../shared/errors/errors.ts';
import { ifThrown } from '../../../../../../shared/errors/expected.ts';
import type { HeldCertificate, SignHashRequest } from '../../../../../../shared/hub/client.ts';
import type { Stored } from '../../../../../../shared/store/collection.ts';
import { commit } from '../../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../../shared/store/refusals.ts';
import { cloud } from '../../../../config/hub.ts';
import type { SecondFactorOutcome } from '../../second-factor/require-verified.ts';
import { endAttempt, endingAttempt, findAttempt, type SignatureAttempt } from '../attempt.ts';
import { completeAttempt, prepareAttempt, type ShownCode } from '../sign-attempt.ts';

export type CloudReturn = {
  /** Of the person whose session the browser has. */
  readonly address: string;
  /** The hub's session; undefined where the holder was sent back with an error. */
  readonly session: string | undefined;
  /** The attempt that this browser began last: an error names none, and a session that was used up does not either. */
  readonly begunId: string | undefined;
  /** Whether the second factor of the person still counts. */
  readonly verify: () => Promise<SecondFactorOutcome>;
};

/** Why a return recorded no signature. `signing`: another request of the same return is at it. */
export type CloudProblem =
  | ShownCode
  | Exclude<SecondFactorOutcome, 'verified'>
  | 'approval.not-pending'
  | 'provider-failed'
  | 'attempt-unknown'
  | 'attempt-over'
  | 'signing';

/** The job of the attempt, and null as the problem once the signature is recorded. */
export type CloudResult = { readonly jobId: string | null; readonly problem: CloudProblem | null };

type Attempt = Stored<SignatureAttempt>;

// A return that is reloaded while the provider signs:
//
//   first   |--reads: open-- prepares ----|--signs, up to two minutes--|--recorded: signed
//   reload                                     |--reads: prepared --> signing         |--reads: signed --> the job
//
// Whoever prepares the attempt owns it: until then it changes only in the version that was read, and nobody else ends
// it afterwards. An owner that is killed leaves it to its expiry.

/** Signs with the session that a holder came back with. A return that was seen already records nothing more. */
export async function finishCloudSignature(
  { address, session, begunId, verify }: CloudReturn,
  deadline: Deadline,
): Promise<CloudResult> {
  const state =
    session === undefined ? undefined : await cloud.stateOf(session, { attemptId: begunId }, deadline);
  const attempt = await findAttempt(state ?? begunId ?? '', address);
  if (attempt?.means !== 'cloud') return { jobId: null, problem: 'attempt-unknown' };
  const { decision, outcome, expiresAtMs } = attempt;
  const { jobId } = decision;
  if (outcome === 'signed') return { jobId, problem: null };
  if (outcome !== null || expiresAtMs <= deadline.now()) return { jobId, problem: 'attempt-over' };
  if (attempt.state !== null) return { jobId, problem: 'signing' };
  if (session === undefined || state === undefined) return { jobId, problem: await fail(attempt) };
  const verified = await verify();
  if (verified !== 'verified') return { jobId, problem: verified };
  return { jobId, problem: await sign(attempt, session, deadline) };
}

/** Ends an attempt that nobody has prepared since it was read. */
const fail = (attempt: Attempt): Promise<'provider-failed' | 'signing'> =>
  changeUnlessSigning(async () => {
    await commit(endingAttempt(attempt, 'provider-failed'));
    return 'provider-failed' as const;
  });

/** Changes an attempt, or answers `signing` where another request has begun to sign with it. */
async function changeUnlessSigning<T>(change: () => Promise<T>): Promise<T | 'signing'> {
  return change().catch(ifThrown(RaceLost, 'signing'));
}

async function sign(attempt: Attempt, session: string, deadline: Deadline): Promise<CloudProblem | null> {
  let held: HeldCertificate;
  try {
    held = await cloud.hub.certificateOf(session, deadline);
  } catch (error) {
    cloud.logFailure(error, { attemptId: attempt.id });
    return fail(attempt);
  }
  try {
    const prepared = await changeUnlessSigning(() =>
      prepareAttempt(attempt, held.certificate, deadline.now()),
    );
    if (prepared === 'signing') return prepared;
    if (prepared.outcome === 'refused') return prepared.code;
    return await complete(attempt, { session, hash: prepared.hash, alias: held.alias }, deadline);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== 'approval.already-decided') return 'approval.not-pending';
    await endAttempt(attempt.id, 'conflict');
    return 'approval.signature-conflict';
  }
}

async function complete(
  { id, decision }: Attempt,
  request: SignHashRequest,
  deadline: Deadline,
): Promise<CloudProblem | null> {
  let signature: Buffer;
  try {
    signature = await cloud.hub.signHash(request, deadline);
  } catch (error) {
    cloud.logFailure(error, { attemptId: id });
    await endAttempt(id, 'provider-failed');
    return 'provider-failed';
  }
  const prepared = await findAttempt(id, decision.email);
  if (prepared?.outcome !== null) return 'attempt-over';
  const result = await completeAttempt(prepared, signature, deadline.now());
  return result.outcome === 'refused' ? result.code : null;
}
