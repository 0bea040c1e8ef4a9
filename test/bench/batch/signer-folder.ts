import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ORGANIZATION_ID,
  SANDBOX_KEY,
  SIGNER_FOLDER_ID,
  SIGNER_SECRET,
} from '../../../functions/sandbox/sandbox-data.ts';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { platformClient } from '../../../shared/platform/client.ts';
import { parseActionUrl } from '../../../shared/platform/signatures.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { batchClient } from '../measure/batch-client.ts';
import type { Figure } from '../measure/figures.ts';

const DOCUMENTS = 500;
const BARE_DOCUMENTS = 100;
const DOCUMENTS_PER_CALL = 50;
const CONCURRENCY = 8;
const LOOK_EVERY_MS = 250;
const HOLDER = '52998224725';

const within = () => deadlineIn(30_000, Date.now);

/** A signer folder, from the notification of its documents to their signatures, and the same calls without jobs. */
export async function figures(): Promise<Figure[]> {
  const engine = await startEngineProcess({
    env: {
      Log__Level: 'WARN',
      Pipeline__MaxConcurrency: String(CONCURRENCY),
      Pipeline__PollIntervalSeconds: '2',
      // Notifications alone find the documents.
      Signer__FolderSweepSeconds: '3600',
    },
  });
  await engine.ready();
  try {
    const platform = platformCalls(engine.url);
    await platform.notify(`${engine.url}/batch/api/signer/notifications`);
    const bare = await signBare(platform, engine.dataDir);
    const inFolder = await signInFolder(platform, engine.url);
    return [
      {
        name: `batch, ${DOCUMENTS} documents of a signer folder from their notification to their signatures, against the same calls in a loop`,
        ratio: inFolder / bare,
        detail: `${inFolder.toFixed(1)} and ${bare.toFixed(1)} documents/s`,
      },
    ];
  } finally {
    await cleanUp();
  }
}

type PlatformCalls = ReturnType<typeof platformCalls>;

/** Calls of the document platform on a running engine. */
function platformCalls(url: string) {
  const address = `${url}/documents`;
  const client = platformClient({ address, apiKey: SANDBOX_KEY, requestTimeoutMs: 30_000 });
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${address}/api/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    client,
    notify: (target: string) =>
      post(`organizations/${ORGANIZATION_ID}/webhooks`, {
        url: target,
        authType: 'Bearer',
        token: SIGNER_SECRET,
      }),
    async upload(count: number): Promise<string[]> {
      const bytes = await plainPdf('table');
      const ids: string[] = [];
      await forEachConcurrently(CONCURRENCY, Array(count).keys(), async (n) => {
        ids.push((await client.uploadFile({ bytes, fileName: `document-${n}.pdf` }, within())).uploadId);
      });
      return ids;
    },
    /** As many in a call as the platform takes. */
    async create(uploadIds: readonly string[], folderId: string | null): Promise<string[]> {
      const flowActions = [{ type: 'Signer', step: 1, user: { name: 'Holder', identifier: HOLDER } }];
      const ids: string[] = [];
      for (let n = 0; n < uploadIds.length; n += DOCUMENTS_PER_CALL) {
        const files = uploadIds.slice(n, n + DOCUMENTS_PER_CALL).map((id) => ({ id, name: `${id}.pdf` }));
        const created = (await post('documents', { files, flowActions, folderId })) as {
          documentId: string;
        }[];
        ids.push(...created.map(({ documentId }) => documentId));
      }
      return ids;
    },
  };
}

async function signInFolder(platform: PlatformCalls, url: string): Promise<number> {
  const uploads = await platform.upload(DOCUMENTS);
  const batch = batchClient(url);
  const startedAt = performance.now();
  await platform.create(uploads, SIGNER_FOLDER_ID);
  while ((await batch.countCompleted()) < DOCUMENTS) await pause(LOOK_EVERY_MS);
  return (DOCUMENTS * 1000) / (performance.now() - startedAt);
}

/** What a job asks of the platform: read, action URL, start, complete, read back. */
async function signBare({ client, upload, create }: PlatformCalls, dataDir: string): Promise<number> {
  const p12 = readFileSync(join(dataDir, 'pki', 'holders', `${HOLDER}.p12`));
  const [entry] = (await openPkcs12(p12, '1234')).entries;
  if (!entry) throw new Error('The sandbox has such a holder.');
  const key = localKey(entry.privateKey, entry.certificate, entry.chain);
  const documents = await create(await upload(BARE_DOCUMENTS), null);
  const startedAt = performance.now();
  await forEachConcurrently(CONCURRENCY, documents, async (id) => {
    await client.readDocument(id, within());
    const target = parseActionUrl(await client.actionUrl(id, { cpf: HOLDER }, within()));
    if (!target) throw new Error('The URL has a key and a ticket.');
    const toSign = await client.startSignature(target, entry.certificate.der, within());
    if (!toSign.isAccepted) throw new Error('The platform takes the certificate.');
    const signature = await key.signHash('sha256', toSign.hash);
    await client.completeSignature(target, { token: toSign.token, signature }, within());
    await client.readDocument(id, within());
  });
  return (BARE_DOCUMENTS * 1000) / (performance.now() - startedAt);
}
