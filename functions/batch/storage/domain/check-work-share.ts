import { files } from '../../../../shared/files/files.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import type { FurtherCheck } from '../../operations/domain/readiness.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import type { WorkStore } from '../../storage-setting.ts';
import { openShare, requireShare, ShareUnusable } from './share.ts';
import { explainShareFailure } from './share-failure.ts';
import { holdWorkShare } from './work-owner.ts';

// Anyone may ask for readiness: the share is asked once in Access:CacheSeconds, however many ask.
const recent = cached<readonly FurtherCheck[]>({
  name: 'batch.work-share-checks',
  read: readChecks,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** Whether the work share answers, and is this installation's. No checks where the service works in its own bucket. */
export async function checkWorkShare(): Promise<readonly FurtherCheck[]> {
  const work = settings['Storage:Work'];
  return work === undefined ? [] : ((await recent.get(JSON.stringify(work))) ?? []);
}

async function readChecks(key: string): Promise<readonly FurtherCheck[]> {
  const work = JSON.parse(key) as WorkStore;
  return Promise.all([
    checkOf(work, await nameOf(work), async () => {
      // A list of one key: the least that tells whether server, key and bucket are right.
      await files(await openShare(work.share)).list('', { limit: 1 });
      return say('check.share-answers');
    }),
    checkOf(work, 'work-share-owner', async () => {
      const { instance, claimedAt } = await holdWorkShare(work);
      return say('check.share-held', { instance, time: claimedAt });
    }),
  ]);
}

/** The host and bucket, where the share is known. */
async function nameOf({ share }: WorkStore): Promise<string> {
  try {
    const { endpoint, bucket } = await requireShare(share);
    return `storage-share:${new URL(endpoint).host}/${bucket}`;
  } catch (error) {
    if (error instanceof ShareUnusable) return `storage-share:${share}`;
    throw error;
  }
}

async function checkOf(
  { share }: WorkStore,
  name: string,
  look: () => Promise<Sentence>,
): Promise<FurtherCheck> {
  try {
    return { name, ok: true, detail: await withinTime(share, look()) };
  } catch (error) {
    const detail = explainShareFailure(share, error);
    if (detail === undefined) throw error;
    return { name, ok: false, detail };
  }
}

// A probe of a balancer does not wait for both attempts of a share that hangs.
const ANSWER_WITHIN_MS = 5_000;

async function withinTime<T>(share: string, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const error = new ShareUnusable(`The share ${share} does not answer within ${ANSWER_WITHIN_MS / 1_000} s.`);
  const timer = setTimeout(() => late.reject(error), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
