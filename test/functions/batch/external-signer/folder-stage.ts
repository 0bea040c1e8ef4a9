import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { sweepFolders } from '../../../../functions/batch/external-signer/domain/sweep/sweep-folders.ts';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { batchStage, HOLDER } from '../stage.ts';
import {
  type RemoteAction,
  type RemoteDocument,
  serveFolderPlatform,
  signerAction,
} from './folder-platform.ts';

export { HOLDER } from '../stage.ts';
export const OTHER = '47363361886';

/** How long a platform may be silent. A call of a busy machine takes a second now and then. */
export const SILENCE_SECONDS = '3';

/** The batch service before a platform in memory, with a profile `folder` that signs a folder of it. */
export async function folderStage() {
  const stage = await batchStage();
  const platform = await serveFolderPlatform();
  vi.stubEnv('Signer__BaseAddress', platform.url);
  vi.stubEnv('Signer__ApiKey', 'app|secret');
  vi.stubEnv('Signer__RequestTimeout', SILENCE_SECONDS);
  const folderId = randomUUID();
  const bind = async (name: string, folder: string, cpf = HOLDER): Promise<void> => {
    platform.folders.add(folder);
    await stage.profile({ name, method: 'SignerFolder', signerFolder: { folderId: folder } }, cpf);
  };
  await bind('folder', folderId);
  const { logger, now } = stage.worker;
  const sweep = (at = now) => sweepFolders({ logger, now: at, hasTime: () => true });
  const jobsOf = async ({ id }: RemoteDocument): Promise<Job[]> => {
    const { ids } = await jobList().page({ page: 1, pageSize: 200 });
    return (await jobs.getMany(ids)).filter((job) => job.folderDocument?.documentId === id);
  };
  return {
    ...stage,
    platform,
    folderId,
    bind,
    sweep,
    jobsOf,
    /** Puts a document for the holder into the bound folder. */
    put: (fileName = 'contract.pdf', ...actions: RemoteAction[]): RemoteDocument =>
      platform.put(folderId, fileName, ...(actions.length > 0 ? actions : [signerAction(HOLDER)])),
    /** Its only job, swept. */
    async take(document: RemoteDocument): Promise<Job> {
      await sweep();
      const [job, ...others] = await jobsOf(document);
      if (!job || others.length > 0)
        throw new Error(`The document has ${others.length + (job ? 1 : 0)} jobs.`);
      return job;
    },
    /** What workers do when the leases of killed ones have ended. */
    async recover(): Promise<void> {
      const claimed = await claimJob(Date.now() + 600_000);
      if (claimed) await stage.process(claimed);
      await stage.run();
    },
    async stop() {
      platform.stop();
      await stage.stop();
    },
  };
}
