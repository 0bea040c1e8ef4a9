import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { handler as getMetrics } from '../../../../functions/batch/endpoints/get-metrics.ts';
import { listChecks, removeChecks } from '../../../../functions/batch/external-signer/domain/sweep/checks.ts';
import { handler as receive } from '../../../../functions/batch/external-signer/endpoints/receive-notification.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { ownStores } from '../../own-stores.ts';
import { parsePrometheus } from '../operations/prometheus.ts';

export const SECRET = 'a-secret-of-the-webhook';
export const BOUND = '44444444-4444-4444-8444-444444444444';
const DISABLED = '55555555-5555-4555-8555-555555555555';

/** A document as the platform cites it, with more than is read. */
export const cited = (folderId: string | null = BOUND, id: string = randomUUID()) => ({
  id,
  name: 'contrato.pdf',
  folder: folderId === null ? null : { id: folderId, name: 'Signer folder', parentId: null },
  organization: { id: randomUUID(), name: 'Org' },
});

/** The service with a secret and one bound folder, on stores of its own. */
export function notificationStage() {
  let stop: () => Promise<void>;
  beforeAll(async () => {
    stop = await ownStores();
  });
  afterAll(() => stop());
  beforeEach(async () => {
    vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
    vi.stubEnv('Signer__ApiKey', 'a-key|of-the-platform');
    vi.stubEnv('Signer__WebhookSecret', SECRET);
    vi.stubEnv('Access__CacheSeconds', '0');
    await bind('bound', BOUND);
    await bind('not-enabled', DISABLED, { enabled: false });
  });
  afterEach(async () => {
    await removeChecks(await listChecks());
    vi.unstubAllEnvs();
  });

  return {
    /** Sends a notification from an address of its own, with the secret unless told otherwise. */
    send: (json: unknown, { headers, ...request }: Request = {}) =>
      call(receive, {
        address: randomUUID(),
        headers: { authorization: `Bearer ${SECRET}`, ...headers },
        ...(request.body === undefined && request.bodyStream === undefined && { json }),
        ...request,
      }),
    notify: (...documents: ReturnType<typeof cited>[]) => ({
      type: 'DocumentsCreated',
      data: { documents },
    }),
    waiting: async () => (await listChecks()).map(({ documentId }) => documentId).toSorted(),
    outcomes,
    /** What is counted while something is done. */
    async countedBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
      const before = await outcomes();
      await work();
      const after = await outcomes();
      const added = Object.entries(after).map(
        ([name, count]) => [name, count - (before[name] ?? 0)] as const,
      );
      return Object.fromEntries(added.filter(([, count]) => count !== 0));
    },
  };
}

export const DISABLED_FOLDER = DISABLED;

const bind = (name: string, folderId: string, more: object = {}) =>
  putProfile(
    'test',
    parseProfileFields({ name, method: 'SignerFolder', signerFolder: { folderId }, ...more }),
    Date.now(),
  );

async function outcomes(): Promise<Record<string, number>> {
  const { text } = await call(getMetrics, { headers: { 'X-API-Key': SANDBOX_KEY } });
  const samples = parsePrometheus(text).get('bulk_signer_notifications_total')?.samples ?? [];
  return Object.fromEntries(samples.map(({ labels, value }) => [String(labels.outcome), value]));
}
