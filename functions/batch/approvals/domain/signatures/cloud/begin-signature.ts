import type { Deadline } from '../../../../../../shared/async/deadline.ts';
import type { HubProvider } from '../../../../../../shared/hub/client.ts';
import { commonSettings } from '../../../../../../shared/settings/common.ts';
import { hub, logHubFailure, signsInCloud } from '../../../../config/hub.ts';
import { errors } from '../../../../errors.ts';
import { approverOf } from '../../../../jobs/domain/job/approval.ts';
import { endAttempt, openAttempt, type SignatureAttempt } from '../attempt.ts';
import { requireSignable } from '../sign-attempt.ts';

/** Where the hub sends a holder back to. It is registered there for our key, to the letter. */
const returnUri = (): string => `${commonSettings['Http:PublicUrl']}/batch/approvals/cloud/return`;

export type CloudSignatureResult =
  | {
      readonly outcome: 'begun';
      readonly attemptId: string;
      /** At least one. */
      readonly providers: readonly HubProvider[];
    }
  | { readonly outcome: 'no-provider' | 'provider-failed' };

/**
 * Opens an attempt, and a session at every provider that holds a certificate of the approver. The CPF is the one that was
 * frozen with the job, never one that a request names.
 */
export async function beginCloudSignature(
  decision: SignatureAttempt['decision'],
  deadline: Deadline,
): Promise<CloudSignatureResult> {
  if (!signsInCloud()) throw errors.refuse('route.not-found');
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
  try {
    const providers = await hub.createSession(request, deadline);
    if (providers.length > 0) return { outcome: 'begun', attemptId: id, providers };
    await endAttempt(id, 'provider-failed');
    return { outcome: 'no-provider' };
  } catch (error) {
    logHubFailure(error, { attemptId: id });
    await endAttempt(id, 'provider-failed');
    return { outcome: 'provider-failed' };
  }
}
