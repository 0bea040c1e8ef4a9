import { consume } from '../../../../shared/queue/consume.ts';
import { removeFiles } from '../../domain/remove-files.ts';
import { SIGNATURE_SESSIONS_QUEUE, SignatureSessionTask } from '../../domain/tasks.ts';
import { announceSession } from '../domain/announce-session.ts';
import { forgetSession } from '../domain/forget-session.ts';
import { makeFiles } from '../domain/make-files.ts';

const MAX_RECEIVES = 5;

const TASKS = {
  makeFiles: (id: string, isLastAttempt: boolean) => makeFiles(id, isLastAttempt, Date.now()),
  announce: announceSession,
  forget: forgetSession,
} as const;

export const handler = consume(
  {
    service: 'pki',
    queue: SIGNATURE_SESSIONS_QUEUE,
    message: SignatureSessionTask,
    maxReceives: MAX_RECEIVES,
    concurrency: 2, // each may hold a document of the largest size, several times over
  },
  async (message, { attempt, logger }) => {
    if (message.task === 'removeFiles') return removeFiles(message.folder);
    const { task, sessionId } = message;
    const outcome = await TASKS[task](sessionId, attempt >= MAX_RECEIVES);
    logger.info('task done', { task, signatureSession: sessionId, outcome });
  },
);
