import { consume } from '../../../../shared/queue/consume.ts';
import { forgetSession } from '../domain/forget-session.ts';
import { makeFiles } from '../domain/make-files.ts';
import { SIGNATURE_SESSIONS_QUEUE, SignatureSessionTask } from '../domain/tasks.ts';

const MAX_RECEIVES = 5;

export const handler = consume(
  {
    service: 'pki',
    queue: SIGNATURE_SESSIONS_QUEUE,
    message: SignatureSessionTask,
    maxReceives: MAX_RECEIVES,
    concurrency: 2, // each may hold a document of the largest size, several times over
  },
  async ({ task, sessionId }, { attempt, logger }) => {
    const outcome =
      task === 'forget'
        ? await forgetSession(sessionId)
        : await makeFiles(sessionId, attempt >= MAX_RECEIVES);
    logger.info('task done', { task, signatureSession: sessionId, outcome });
  },
);
