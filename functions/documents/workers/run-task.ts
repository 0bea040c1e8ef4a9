import { consume, type Incoming } from '../../../shared/queue/consume.ts';
import { TASKS_QUEUE, Task } from '../domain/tasks.ts';

type Run = { readonly nowMs: number } & Pick<Incoming, 'forgetting'>;
type TaskRunners = {
  readonly [Name in Task['task']]: (task: Extract<Task, { task: Name }>, run: Run) => Promise<unknown>;
};

// Each is loaded with its first task: a cold start reads the code of one, and not of all.
const RUNNERS: TaskRunners = {
  create: async ({ creationId }) => (await import('../domain/creating/creation.ts')).runCreation(creationId),
  expire: async ({ documentId, expiresAtMs }, { nowMs }) =>
    (await import('../domain/ending/end-document.ts')).expireDocument(documentId, expiresAtMs, nowMs),
  conclude: async ({ documentId }, { nowMs, forgetting }) =>
    (await import('../domain/ending/conclude-document.ts')).concludeDocument(documentId, nowMs, forgetting),
  forgetSignature: async ({ documentId, tokenHash }) =>
    (await import('../domain/signing/started-signature.ts')).forgetSignature(documentId, tokenHash),
  removeFiles: async ({ keys }) => (await import('../domain/removal/delete-document.ts')).removeFiles(keys),
  forgetDocuments: async ({ documents }) =>
    (await import('../domain/removal/delete-document.ts')).forgetDocuments(documents),
  deleteFolder: async ({ folderId }, { nowMs }) =>
    (await import('../domain/removal/delete-folder.ts')).emptyFolder(folderId, nowMs),
  emptyFolder: async ({ folderId }, { nowMs }) =>
    (await import('../domain/removal/empty-folder.ts')).moveFolderContents(folderId, nowMs),
  deleteOrganization: async ({ organizationId }, { nowMs }) =>
    (await import('../domain/removal/delete-organization.ts')).emptyOrganization(organizationId, nowMs),
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
