import { logger } from '../../../../../shared/log/logger.ts';
import type { Job } from './job.ts';

/** Tells the log why a job has failed. The event log has it as an event, which the line names. */
export function logFailure({ id: jobId, profileName, errorCode: code, errorMessage: reason }: Job): void {
  logger('batch').warn('A job has failed.', { event: 'JobFailed', jobId, profileName, code, reason });
}
