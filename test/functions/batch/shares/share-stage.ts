import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { keyPrefixOf, requireFolder } from '../../../../functions/batch/folders/domain/folder.ts';
import { type Taking, takeFile } from '../../../../functions/batch/folders/domain/take-file.ts';
import { watchFolder } from '../../../../functions/batch/folders/domain/watch-folder.ts';
import { settleFilesOf } from '../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { findProfile } from '../../../../functions/batch/profiles/domain/find-profile.ts';
import { inputFiles } from '../../../../functions/batch/storage/domain/stores.ts';
import { processWide } from '../../../../shared/async/process-wide.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { batchStage, type Stage } from '../stage.ts';
import { type ShareServer, startShareServer } from './share-server.ts';

export const FOLDER = 'parceiro';
const SHARE = 'acme';

/** The batch service with a folder on a share: `entrada` of the bucket of another server. */
export async function shareStage(options: { readonly tls?: boolean } = {}) {
  const stage: Stage = await batchStage();
  const server: ShareServer = await startShareServer(options);
  vi.stubEnv('Storage__Inputs', `${FOLDER}=share:${SHARE}/entrada`);
  await server.share(SHARE);
  const inbox = server.at('entrada');

  const found = async (): Promise<Job[]> => {
    const listed = await jobList({}).walk({ oldestFirst: true, limit: 200 });
    return Promise.all(listed.map(({ id }) => stage.job(id)));
  };
  return {
    ...stage,
    server,
    inbox,
    share: SHARE,
    newName: () => `${randomUUID()}.bin`,
    /** Drops a file as the partner does. */
    drop: (name: string, content: string | Uint8Array) =>
      inbox.put(name, Buffer.from(content), { contentType: 'application/octet-stream' }),
    contentOf: async (name: string) => (await inbox.read(name, 1_000_000))?.toString(),
    /** Takes every file of the folder once, as a scan does. */
    async scan(): Promise<Record<string, Taking>> {
      const folder = requireFolder(FOLDER);
      const profile = await findProfile('default');
      if (!profile) throw new Error('The stage has a default profile.');
      const store = await inputFiles(folder.share);
      const seenAtMs = Date.now();
      const page = await store.list(keyPrefixOf(folder));
      const takings: Record<string, Taking> = {};
      for (const { key, length, etag } of page.files)
        takings[key.slice(keyPrefixOf(folder).length)] = await takeFile(
          { folder, profile, store, file: { key, length, etag, seenAtMs }, logger: logger('batch') },
          Date.now(),
        );
      return takings;
    },
    /** One scan of the watcher. Its samples of stability come one after another, on a clock that runs with them. */
    async watch(): Promise<void> {
      await stage.profile({ name: 'default', default: true, inputFolder: FOLDER });
      let aheadMs = 0;
      const pause = async (ms: number) => {
        aheadMs += ms;
      };
      const now = () => Date.now() + aheadMs;
      await watchFolder({ folder: FOLDER }, { logger: stage.worker.logger, now, hasTime: () => true, pause });
    },
    /** The jobs of a file, oldest first. */
    jobsOf: async (name: string): Promise<Job[]> =>
      (await found()).filter(({ fileName }) => fileName === name),
    /** Gives up a share that hangs after the shortest time that there is. */
    async impatiently<T>(work: () => Promise<T>): Promise<T> {
      vi.stubEnv('Storage__ShareTimeout', '1');
      try {
        return await work();
      } finally {
        vi.stubEnv('Storage__ShareTimeout', '20');
      }
    },
    /** As in a process that has used no share yet. */
    forgetClients: () => processWide('batch.shares', () => new Map<string, unknown>()).clear(),
    /** What the sweeper does. */
    settle: ({ id }: Job) => settleFilesOf(id, Date.now()),
    outputsOf: async (name: string): Promise<string[]> => {
      const { files: outputs } = await files('batch').list(`output/${name}`);
      return outputs.map(({ key }) => key);
    },
    async stop() {
      await server.stop();
      await stage.stop();
    },
  };
}
