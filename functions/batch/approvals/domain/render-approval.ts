import { type Cpf, checkDigitsOfCpf } from '../../../../shared/taxpayer/cpf.ts';
import { errors } from '../../errors.ts';
import { decisionOf, expiresAt } from '../../jobs/domain/job/approval.ts';
import { requireJob } from '../../jobs/domain/job/job.ts';

/** The approval record of a job, without addresses of the network. Refused with approval.not-required. */
export async function readApprovals(id: string) {
  const { id: jobId, approval } = await requireJob(id);
  if (!approval) throw errors.refuse('approval.not-required');
  const { quorum, signerSet, expiresAfterSeconds, contentSha256, approvers, decisions } = approval;
  return {
    jobId,
    rule: {
      quorum,
      signerSet,
      expiresAfterSeconds,
      expiresAt: expiresAt(approval),
      frozenAt: new Date(approval.parkedAtMs).toISOString(),
      contentSha256,
    },
    pool: approvers.map(({ name, email, cpf }) => ({
      approverName: name,
      approverEmail: email,
      approverCpf: checkDigitsOfCpf(cpf as Cpf),
      decision: decisionOf(approval, email)?.verdict ?? null,
    })),
    decisions: decisions.map(
      ({ approver, verdict, reason, method, contentSha256: decidedOn, decidedAtMs }) => ({
        approverEmail: approver.email,
        approverName: approver.name,
        approverCpf: checkDigitsOfCpf(approver.cpf as Cpf),
        decision: verdict,
        reason,
        identificationMethod: method,
        contentSha256: decidedOn,
        decidedAt: new Date(decidedAtMs).toISOString(),
      }),
    ),
  };
}
