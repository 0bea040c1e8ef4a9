import { consume, type Incoming } from '../../../shared/queue/consume.ts';
import { runCreation } from '../domain/creating/creation.ts';
import { concludeDocument } from '../domain/ending/conclude-document.ts';
import { expireDocument } from '../domain/ending/end-document.ts';
import { forgetDocuments, removeFiles } from '../domain/removal/delete-document.ts';
import { emptyFolder } from '../domain/removal/delete-folder.ts';
import { emptyOrganization } from '../domain/removal/delete-organization.ts';
import { moveFolderContents } from '../domain/removal/empty-folder.ts';
import { forgetSignature } from '../domain/signing/started-signature.ts';
import { TASKS_QUEUE, Task } from '../domain/tasks.ts';

type Run = { readonly nowMs: number } & Pick<Incoming, 'forgetting'>;
type TaskRunners = {
  readonly [Name in Task['task']]: (task: Extract<Task, { task: Name }>, run: Run) => Promise<unknown>;
};

const RUNNERS: TaskRunners = {
  create: ({ creationId }) => runCreation(creationId),
  expire: ({ documentId, expiresAtMs }, { nowMs }) => expireDocument(documentId, expiresAtMs, nowMs),
  conclude: ({ documentId }, { nowMs, forgetting }) => concludeDocument(documentId, nowMs, forgetting),
  forgetSignature: ({ documentId, tokenHash }) => forgetSignature(documentId, tokenHash),
  removeFiles: ({ keys }) => removeFiles(keys),
  forgetDocuments: ({ documents }) => forgetDocuments(documents),
  deleteFolder: ({ folderId }, { nowMs }) => emptyFolder(folderId, nowMs),
  emptyFolder: ({ folderId }, { nowMs }) => moveFolderContents(folderId, nowMs),
  deleteOrganization: ({ organizationId }, { nowMs }) => emptyOrganization(organizationId, nowMs),
};

// These outcomes are committed with the deletion of the task's record.
const FORGOTTEN: ReadonlySet<unknown> = new Set(['concluded', 'expired']);

export const handler = consume(
  { service: 'documents', queue: TASKS_QUEUE, message: Task, maxReceives: 5 },
  async (task, { logger, forgetting }) => {
    const run = RUNNERS[task.task] as (task: Task, run: Run) => Promise<unknown>;
    const outcome = await run(task, { nowMs: Date.now(), forgetting });
    logger.info('task done', { task: task.task, outcome });
    return FORGOTTEN.has(outcome) ? 'forgotten' : undefined;
  },
);
