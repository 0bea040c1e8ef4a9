import type { CadesState } from '../../../../../shared/signing/cades/prepare.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import type { JobApproval } from './approval.ts';
import type { Job } from './job.ts';

/** With what an approver signs: a certificate file in the browser, or one at a cloud provider. */
export type SignatureMeans = 'browser' | 'cloud';

/** The signature of an approver over the content of a job, kept until the signed file is made. */
export type ApproverSignature = {
  readonly jobId: string;
  readonly address: string;
  readonly means: SignatureMeans;
  /** The signed attributes and the certificates, of a few kilobytes. */
  readonly state: CadesState;
  /** Base64. */
  readonly signature: string;
  readonly signedAtMs: number;
};

type SignatureId = Pick<ApproverSignature, 'jobId' | 'address'>;

// Items of their own: those of fifty people do not fit into the item of their job.
export const approverSignatures = collection<ApproverSignature, SignatureId>({
  service: 'batch',
  name: 'approver signature',
  id: ({ jobId, address }) => ({ jobId, address }),
  key: ({ jobId, address }) => ({ pk: `JOB-SIGNATURES#${jobId}`, sk: `SIGNATURE#${address}` }),
});

const idsOf = (jobId: string, { decisions }: JobApproval): SignatureId[] =>
  decisions
    .filter(({ isSigned }) => isSigned)
    .map(({ approver }) => ({ jobId, address: addressOf(approver.email) }));

/** The signatures of the people who approved a job by signing it, in the order of their decisions. */
export const signaturesOf = ({ id }: Pick<Job, 'id'>, approval: JobApproval) =>
  approverSignatures.getMany(idsOf(id, approval));

/** The writes that remove them, for the commit that deletes the job. */
export const removingSignatures = ({ id, approval }: Pick<Job, 'id' | 'approval'>): Write[] =>
  approval ? idsOf(id, approval).map((signatureId) => approverSignatures.removing(signatureId)) : [];
