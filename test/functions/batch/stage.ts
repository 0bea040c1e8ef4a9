import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { type Job, jobs } from '../../../functions/batch/jobs/domain/job/job.ts';
import {
  queueUpload,
  requireUploadTarget,
  storeUpload,
} from '../../../functions/batch/jobs/domain/upload-file.ts';
import { claimJob } from '../../../functions/batch/pipeline/domain/claim-job.ts';
import { processJob, runPipeline } from '../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { putProfile, setKey } from '../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../functions/batch/profiles/domain/fields.ts';
import { logger } from '../../../shared/log/logger.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { serveSandbox } from '../../cli/sandbox.ts';
import { ownStores } from '../own-stores.ts';

export type Stage = Awaited<ReturnType<typeof batchStage>>;

export const HOLDER = '52998224725';

type Fields = Parameters<typeof parseProfileFields>[0];

/** The batch service on stores of its own, with certificates of an authority that answers. */
export async function batchStage(startStores: () => Promise<() => Promise<void>> = ownStores) {
  const stopStores = await startStores();
  const sandbox = await serveSandbox();
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  vi.stubEnv('Access__CacheSeconds', '0');

  const profile = async (fields: object, cpf = HOLDER): Promise<void> => {
    const parsed = parseProfileFields(fields as Fields);
    await putProfile('test', parsed, Date.now());
    const { entries } = await openPkcs12(readFileSync(sandbox.pki('holders', `${cpf}.p12`)), '1234');
    const [entry] = entries;
    if (entry) await setKey('test', parsed.name, entry, Date.now());
  };
  await profile({ name: 'default', default: true });

  const worker = { logger: logger('batch'), now: () => Date.now(), hasTime: () => true };
  return {
    sandbox,
    profile,
    worker,
    /** Uploads a file as a request does. */
    async upload(
      name: string,
      content: string | Uint8Array,
      options: { profile?: string; format?: string } = {},
    ) {
      const target = await requireUploadTarget(options);
      const stored = await storeUpload(target, { name, content: Readable.from([Buffer.from(content)]) });
      return queueUpload(stored, Date.now());
    },
    /** Takes jobs to their end until none waits. */
    run: () => runPipeline(worker),
    claim: () => claimJob(Date.now()),
    process: (claimed: NonNullable<Awaited<ReturnType<typeof claimJob>>>) => processJob(claimed, worker),
    job: async (id: string): Promise<Job> => {
      const job = await jobs.get(id);
      if (!job) throw new Error(`There is no job ${id}.`);
      return job;
    },
    async stop() {
      vi.unstubAllEnvs();
      sandbox.stop();
      await stopStores();
    },
  };
}
