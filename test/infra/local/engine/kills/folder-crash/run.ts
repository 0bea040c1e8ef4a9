// Files of all kinds are dropped into folders, and onto a share, while the engine is killed again and again.
import { setTimeout as pause } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { putProfile, setKey } from '../../../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../../../functions/batch/profiles/domain/fields.ts';
import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import { bucketName } from '../../../../../../shared/settings/names.ts';
import type { ShareServer } from '../../../../../functions/batch/shares/share-server.ts';
import { joinEngine } from '../../crowd.ts';
import { onStoresOf } from '../../engine-stores.ts';
import { batchApi } from '../batch-crash/api.ts';
import { type MixedFile, mixedFiles, PROFILES } from '../batch-crash/files.ts';
import { createProfiles, holderIn } from '../batch-crash/profiles.ts';
import { type CrashRun, killOnTheWay, retryInterrupted, waitUntilFinished } from '../batch-crash/run.ts';
import { type KillableEngine, secondsUntil, startKillable } from '../killed-work.ts';

/** The profile of the files on the share, and its folder there. */
export const SHARE_PROFILE = 'crash-share';
const SHARE = 'partner';
export const SHARE_PREFIX = 'entrada';

/** The folder of each profile of the run. */
export const FOLDERS: Readonly<Record<string, string>> = {
  [PROFILES.default]: 'inbox',
  [PROFILES.remittances]: 'remessas',
  [PROFILES.encrypted]: 'crash-encrypted',
  [PROFILES.unchecked]: 'crash-unchecked',
  [SHARE_PROFILE]: 'partner',
};

const ENV = {
  RateLimiting__Actions__PermitLimit: '100000',
  Pipeline__PollIntervalSeconds: '2',
  Storage__Inputs: [
    ...Object.values(FOLDERS)
      .filter((folder) => folder !== SHARE)
      .map((folder) => `${folder}=input/${folder}`),
    `${SHARE}=share:${SHARE}/${SHARE_PREFIX}?poll=5`,
  ].join(),
};
const DROPPERS = 12;
const RETRY_MS = 250;
const GIVE_UP_SECONDS = 1_800;

/** What became of the puts of one file. */
export type Drop = {
  readonly file: MixedFile;
  /** The puts without an answer, each of which may have put the file once more. */
  readonly unanswered: number;
};

export type FolderRun = Omit<CrashRun, 'uploads'> & {
  readonly drops: readonly Drop[];
  readonly share: ShareServer;
};

type RunOptions = Pick<FolderRun, 'kills' | 'maxConcurrency' | 'share'> & {
  readonly local: number;
  readonly shared: number;
};

/** Drops files and kills the engine on the way, then retries the jobs that were interrupted. */
export async function runDrops({
  local,
  shared,
  kills,
  maxConcurrency,
  share,
}: RunOptions): Promise<FolderRun> {
  const engine = await startKillable({ ...ENV, Pipeline__MaxConcurrency: String(maxConcurrency) });
  await createFolders(engine.dataDir, share);
  const api = batchApi(engine.url);
  const files = [...(await mixedFiles(local)), ...(await filesOfShare(shared))];
  const drops: Drop[] = [];
  const startedAt = performance.now();
  const dropping = forEachConcurrently(DROPPERS, shuffled(files), async (file) => {
    drops.push(await drop(engine, share, file));
  });
  const killing = killOnTheWay(engine, kills, (part) => drops.length >= files.length * part);
  const [secondsDown] = await Promise.all([killing, dropping]);
  // Every file has a job of its name by then, or is overlooked.
  const names = new Set(files.map(({ name }) => name));
  await secondsUntil(async () => (await api.countJobs('?')) >= names.size, GIVE_UP_SECONDS);
  await waitUntilFinished(api);
  const seconds = (performance.now() - startedAt) / 1000;
  await retryInterrupted(api);
  await waitUntilFinished(api);
  const { items } = await api.jobs();
  const jobs = await api.details(items.map(({ id }) => id));
  return { engine, api, kills, maxConcurrency, drops, jobs, share, seconds, secondsDown };
}

/** Before the first kill: this process knows the stores of the first engine. */
async function createFolders(dataDir: string, share: ShareServer): Promise<void> {
  await createProfiles(dataDir);
  joinEngine(dataDir);
  await share.share(SHARE);
  const holder = await holderIn(dataDir);
  await putProfile('crash-run', parseProfileFields({ name: SHARE_PROFILE }), Date.now());
  await setKey('crash-run', SHARE_PROFILE, holder, Date.now());
  for (const [name, inputFolder] of Object.entries(FOLDERS))
    await putProfile('crash-run', parseProfileFields({ name, inputFolder }), Date.now());
}

/** Files that the default profile signs, of other names than those in the bucket. */
async function filesOfShare(count: number): Promise<MixedFile[]> {
  const found: MixedFile[] = [];
  for (const { failsWith, ...file } of await mixedFiles(3 * count))
    if (file.profile === PROFILES.default && found.length < count)
      found.push({
        ...file,
        ...(failsWith && { failsWith }),
        name: `share-${file.name}`,
        profile: SHARE_PROFILE,
      });
  return found;
}

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);

/** Puts a file where its profile takes it from. A put without an answer is repeated. */
async function drop(engine: KillableEngine, share: ShareServer, file: MixedFile): Promise<Drop> {
  const put = file.profile === SHARE_PROFILE ? putOnShare : putIntoBucket;
  for (let unanswered = 0; ; unanswered++) {
    try {
      await put({ engine, share }, file);
      return { file, unanswered };
    } catch {
      await pause(RETRY_MS);
    }
  }
}

type Target = { readonly engine: KillableEngine; readonly share: ShareServer };

const putOnShare = ({ share }: Target, { name, content }: MixedFile): Promise<unknown> =>
  share.at(SHARE_PREFIX).put(name, content, { contentType: 'application/octet-stream' });

const putIntoBucket = ({ engine }: Target, { name, profile, content }: MixedFile): Promise<unknown> =>
  onStoresOf(engine.dataDir, ({ s3 }) =>
    s3.send(
      new PutObjectCommand({
        Bucket: bucketName('batch'),
        Key: `input/${FOLDERS[profile]}/${name}`,
        Body: content,
      }),
    ),
  );
