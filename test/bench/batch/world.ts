import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  queueUpload,
  requireUploadTarget,
  storeUpload,
} from '../../../functions/batch/jobs/domain/upload-file.ts';
import { seedProfiles } from '../../../infra/local/seed/profiles.ts';
import { logger } from '../../../shared/log/logger.ts';
import { serveSandbox } from '../../cli/sandbox.ts';

/** The batch service in this process, with the sandbox's profiles, on stores in a process of their own. */
export async function startWorld() {
  const stores = fork(new URL('../webhooks/stores.ts', import.meta.url));
  const [env] = (await once(stores, 'message')) as [Record<string, string>];
  const sandbox = await serveSandbox();
  Object.assign(process.env, env, {
    STAGE: 'local',
    Certificates__TrustAnchors: sandbox.pki('root.crt'),
    Network__AllowPrivateAddresses: 'true',
  });
  await seedProfiles(sandbox.authority);
  let uploads = 0;
  return {
    worker: { logger: logger('batch'), now: () => Date.now() },
    /** Queues a file. */
    async upload(content: Uint8Array) {
      const target = await requireUploadTarget({});
      const name = `bench-${++uploads}.pdf`;
      const stored = await storeUpload(target, { name, content: Readable.from([content]) });
      return queueUpload(stored, Date.now());
    },
    stop() {
      sandbox.stop();
      stores.disconnect();
    },
  };
}
