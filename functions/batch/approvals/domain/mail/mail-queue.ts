import * as z from 'zod';
import { sending } from '../../../../../shared/queue/outbox.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { settings } from '../../../settings.ts';

/** Mail to approvers. The queue is its own: a mail server that hangs delays no decision and no other task. */
export const MAIL_QUEUE = 'mail';

/** A job that waits, or one person who is to be told of it. */
export const MailTask = z.object({ jobId: z.string(), address: z.string().optional() });

/** The outbox entry of one message. A later one of the same person and job replaces it. */
export const mailIdOf = (jobId: string, address: string): string => `mail:${jobId}:${address}`;

/**
 * The outbox entry of a job that begins to wait, for the commit that parks it; none where no mail is sent. It is one for
 * all its approvers, who may be fifty: a transaction has a hundred writes.
 */
export const announcingJob = (jobId: string): Write[] =>
  settings['Mail:Smtp:Server'] === undefined
    ? []
    : [sending({ service: 'batch', queue: MAIL_QUEUE, body: { jobId }, id: `mail:${jobId}` })];
