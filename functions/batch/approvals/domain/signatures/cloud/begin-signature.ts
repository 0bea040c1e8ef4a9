import type { Deadline } from '../../../../../../shared/async/deadline.ts';
import type { BeginResult } from '../../../../../../shared/hub/cloud.ts';
import { commonSettings } from '../../../../../../shared/settings/common.ts';
import { cloud } from '../../../../config/hub.ts';
import { errors } from '../../../../errors.ts';
import { approverOf } from '../../../../jobs/domain/job/approval.ts';
import { endAttempt, openAttempt, type SignatureAttempt } from '../attempt.ts';
import { requireSignable } from '../sign-attempt.ts';

/** Where the hub sends a holder back to. It is registered there for our key, to the letter. */
const returnUri = (): string => `${commonSettings['Http:PublicUrl']}/batch/approvals/cloud/return`;

type Begun = Extract<BeginResult, { outcome: 'begun' }>;

export type CloudSignatureResult = (Begun & { readonly attemptId: string }) | Exclude<BeginResult, Begun>;

/**
 * Opens an attempt, and a session at every provider that holds a certificate of the approver. The CPF is the one that was
 * frozen with the job, never one that a request names.
 */
export async function beginCloudSignature(
  decision: SignatureAttempt['decision'],
  deadline: Deadline,
): Promise<CloudSignatureResult> {
  if (!cloud.isOffered()) throw errors.refuse('route.not-found');
  const nowMs = deadline.now();
  const { approval } = await requireSignable(decision.jobId, decision.email, nowMs);
  const approver = approverOf(approval, decision.email);
  if (!approver) throw errors.refuse('job.not-found');
  const { id, expiresAtMs } = await openAttempt('cloud', decision, nowMs);
  const request = {
    redirectUri: returnUri(),
    identifier: approver.cpf,
    type: 'SingleSignature' as const,
    lifetimeSeconds: Math.floor((expiresAtMs - nowMs) / 1000),
    customState: id,
  };
  const begun = await cloud.begin(request, { attemptId: id }, deadline);
  if (begun.outcome === 'begun') return { ...begun, attemptId: id };
  await endAttempt(id, 'provider-failed');
  return begun;
}
