import * as z from 'zod';
import {
  deliverMail,
  type Mailer,
  type MailOutcome,
  recordMails,
} from '../../../../../shared/mail/deliver.ts';
import { mailRecords } from '../../../../../shared/mail/record.ts';
import {
  type Approver,
  approverOf,
  decisionOf,
  isExpired,
  type JobApproval,
} from '../../../jobs/domain/job/approval.ts';
import { type Job, jobs } from '../../../jobs/domain/job/job.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { ofFile, say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { composeMail } from './compose-mail.ts';

/** A job that waits, or one person who is to be told of it. */
export const MailTask = z.object({ jobId: z.string(), address: z.string().optional() });

type Waiting = Job & { readonly approval: JobApproval };
type Clock = () => number;

/** The job, while it waits for decisions. */
async function findWaiting(jobId: string, nowMs: number): Promise<Waiting | undefined> {
  const job = await jobs.get(jobId);
  if (job?.state !== 'AwaitingApproval' || !job.approval) return undefined;
  const { approval } = job;
  return isExpired(approval, nowMs) ? undefined : { ...job, approval };
}

type ApproverTask = { readonly jobId: string; readonly address: string };
type Recipient = { readonly job: Waiting; readonly approver: Approver };

export const mails = mailRecords('batch', ({ about, name }) => ({ pk: `MAIL#${about}`, sk: name }));

const approverMail: Mailer<ApproverTask, Recipient> = {
  service: 'batch',
  settings,
  records: mails,
  idOf: ({ jobId, address }) => ({ about: jobId, name: address }),
  async find({ jobId, address }, nowMs) {
    const job = await findWaiting(jobId, nowMs);
    const approver = job && approverOf(job.approval, address);
    return approver && !decisionOf(job.approval, address) ? { job, approver } : undefined;
  },
  compose: async ({ job, approver }) => composeMail(job, approver),
  failed: ({ job: { id: jobId, fileName, profileName }, approver }, error, nowMs) => {
    const message = ofFile(
      fileName,
      say('mail.failed', { address: addressOf(approver.email), problem: error.message }),
    );
    return recordingEvent({ type: 'ApprovalMailFailed', message, jobId, profileName }, nowMs);
  },
};

/** Records one message per member of the frozen pool who has not decided. */
export async function mailApprovers(jobId: string, now: Clock): Promise<void> {
  const job = await findWaiting(jobId, now());
  if (!job) return;
  const pool = job.approval.approvers.filter(({ email }) => !decisionOf(job.approval, email));
  const tasks = pool.map(({ email }) => ({ jobId, address: addressOf(email) }));
  await recordMails(approverMail, tasks, now);
}

/** Sends the message to one person. */
export const mailApprover = (jobId: string, address: string, now: Clock): Promise<MailOutcome> =>
  deliverMail(approverMail, { jobId, address }, now);
