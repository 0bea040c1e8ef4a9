import type { Cookie } from '../../../shared/http/response/answer.ts';
import { basePath } from '../auth/domain/return-path.ts';

const NAME = 'lbs-cloud-attempt';
// Longer than an attempt lasts: a reload after it still finds the job.
const MAX_AGE_SECONDS = 3_600;

/**
 * Remembers the attempt that a browser began last, for a return that names none. It is no credential: an attempt opens
 * with the session of its person alone.
 */
export const attemptCookie = (attemptId: string): Cookie => ({
  name: NAME,
  value: attemptId,
  path: `${basePath()}/approvals/cloud`,
  maxAge: MAX_AGE_SECONDS,
});

export const attemptIn = (cookies: Readonly<Record<string, string | undefined>>): string | undefined =>
  cookies[NAME];
