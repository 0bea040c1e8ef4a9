import { Readable } from 'node:stream';
import {
  queueUpload,
  requireUploadTarget,
  storeUpload,
} from '../../../../functions/batch/jobs/domain/upload-file.ts';
import { seedProfiles } from '../../../../infra/local/seed/profiles.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { startStores } from '../../measure/stores.ts';

/** The batch service in this process, with the sandbox's profiles, on stores of its own. */
export async function startWorld(options: Parameters<typeof startStores>[0] = {}) {
  const stores = await startStores(options);
  const sandbox = await serveSandbox();
  Object.assign(process.env, {
    Certificates__TrustAnchors: sandbox.pki('root.crt'),
    Network__AllowPrivateAddresses: 'true',
  });
  await seedProfiles(sandbox.authority);
  let uploads = 0;
  return {
    stores: stores.stores,
    worker: { logger: logger('batch'), now: () => Date.now(), hasTime: () => true },
    /** Queues a file. */
    async upload(content: Uint8Array) {
      const target = await requireUploadTarget({});
      const name = `bench-${++uploads}.pdf`;
      const stored = await storeUpload(target, { name, content: Readable.from([content]) });
      return queueUpload(stored, Date.now());
    },
    async stop() {
      sandbox.stop();
      await stores.stop();
    },
  };
}
