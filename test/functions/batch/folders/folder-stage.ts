import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { vi } from 'vitest';
import { assignedProfiles, requireFolder } from '../../../../functions/batch/folders/domain/folder.ts';
import {
  type ScannedPage,
  type Scanner,
  scanFolder,
} from '../../../../functions/batch/folders/domain/scan-folder.ts';
import { watchFolder } from '../../../../functions/batch/folders/domain/watch-folder.ts';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { sealShareSecret, shares } from '../../../../functions/batch/storage/domain/share.ts';
import { type Files, files } from '../../../../shared/files/files.ts';
import { startAwsServer } from '../../../servers/aws-server.ts';
import { batchStage } from '../stage.ts';

export type FolderStage = Awaited<ReturnType<typeof folderStage>>;

const SHARE_BUCKET = 'acme-files';

/** The batch service with a folder of its bucket and one on a share, which is a bucket of another server. */
export async function folderStage(inputs = 'inbox=input/inbox,parceiro=share:acme/entrada') {
  const stage = await batchStage();
  vi.stubEnv('Storage__Inputs', inputs);
  const { endpoint, stop } = await startAwsServer();
  const client = new S3Client({ endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: SHARE_BUCKET }));
  const shareBucket = { name: SHARE_BUCKET, client };
  const share: Files = files({ bucket: shareBucket, prefix: '' });
  const write = (store: Files) => (key: string, content: string | Uint8Array) =>
    store.put(key, Buffer.from(content), { contentType: 'application/octet-stream' });

  const scanner: Scanner = {
    logger: stage.worker.logger,
    now: () => Date.now(),
    hasTime: () => true,
    // The samples of stability come one after another.
    pause: async () => undefined,
  };
  return {
    ...stage,
    async stop(): Promise<void> {
      await stage.stop();
      client.destroy();
      await stop();
    },
    scanner,
    put: write(files('batch')),
    putOnShare: write(share),
    share,
    shareBucket,
    /** Registers the share, or replaces how it is reached. */
    async addShare(change: { endpoint?: string; bucket?: string } = {}) {
      await shares.put({
        name: 'acme',
        endpoint,
        bucket: SHARE_BUCKET,
        prefix: '',
        region: 'us-east-1',
        accessKeyId: 'local',
        sealedSecret: await sealShareSecret('acme', 'local'),
        authority: null,
        ...change,
      });
    },
    /** A scan of the watcher, as its message starts it. */
    watch: (folder: string, change: Partial<Scanner> = {}, cursor?: string) =>
      watchFolder({ folder, cursor }, { ...scanner, ...change }),
    /** The pages of one scan, without its claim. */
    async scan(
      folder: string,
      change: Partial<Scanner> = {},
      from: { cursor?: string; rescanAtMs?: number } = {},
    ) {
      const profile = (await assignedProfiles()).get(folder);
      if (!profile) throw new Error(`No profile selects ${folder}.`);
      const pages: ScannedPage[] = [];
      const request = { folder: requireFolder(folder), profile, ...from };
      for await (const page of scanFolder(request, { ...scanner, ...change })) pages.push(page);
      return pages;
    },
    /** All jobs, the oldest first. */
    async jobs(): Promise<Job[]> {
      const { ids } = await jobList().slice({ offset: 0, limit: 200 });
      return (await jobs.getMany(ids)).reverse();
    },
    async jobOf(fileName: string): Promise<Job> {
      const { ids } = await jobList().slice({ offset: 0, limit: 200 });
      const found = (await jobs.getMany(ids)).find((job) => job.fileName === fileName);
      if (!found) throw new Error(`There is no job for ${fileName}.`);
      return found;
    },
    assignments: async () =>
      (await listEvents({ type: 'FolderAssigned', page: 1, pageSize: 50 })).items
        .map(({ message }) => message)
        .reverse(),
  };
}
