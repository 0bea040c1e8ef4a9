import { consume } from '../../../shared/queue/consume.ts';
import { runCreation } from '../domain/creating/creation.ts';
import { concludeDocument } from '../domain/ending/conclude-document.ts';
import { expireDocument } from '../domain/ending/end-document.ts';
import { forgetDocument, removeFiles } from '../domain/removal/delete-document.ts';
import { emptyFolder } from '../domain/removal/delete-folder.ts';
import { emptyOrganization } from '../domain/removal/delete-organization.ts';
import { forgetSignature } from '../domain/signing/started-signature.ts';
import { TASKS_QUEUE, Task } from '../domain/tasks.ts';

type TaskRunners = {
  readonly [Name in Task['task']]: (task: Extract<Task, { task: Name }>, nowMs: number) => Promise<unknown>;
};

const RUNNERS: TaskRunners = {
  create: ({ creationId }) => runCreation(creationId),
  expire: ({ documentId, expiresAtMs }, nowMs) => expireDocument(documentId, expiresAtMs, nowMs),
  conclude: ({ documentId }, nowMs) => concludeDocument(documentId, nowMs),
  forgetSignature: ({ documentId, tokenHash }) => forgetSignature(documentId, tokenHash),
  removeFiles: ({ keys }) => removeFiles(keys),
  forgetDocument: ({ documentId, keys }) => forgetDocument(documentId, keys),
  deleteFolder: ({ folderId }) => emptyFolder(folderId),
  deleteOrganization: ({ organizationId }, nowMs) => emptyOrganization(organizationId, nowMs),
};

export const handler = consume(
  { service: 'documents', queue: TASKS_QUEUE, message: Task, maxReceives: 5 },
  async (task, { logger }) => {
    const run = RUNNERS[task.task] as (task: Task, nowMs: number) => Promise<unknown>;
    const outcome = await run(task, Date.now());
    logger.info('task done', { task: task.task, outcome });
  },
);
