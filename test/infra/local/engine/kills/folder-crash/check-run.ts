import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { bucketName } from '../../../../../../shared/settings/names.ts';
import type { ShareServer } from '../../../../../functions/batch/shares/share-server.ts';
import { onStoresOf } from '../../engine-stores.ts';
import type { DetailedJob } from '../batch-crash/api.ts';
import { checkHistory } from '../batch-crash/check-jobs.ts';
import { verifyOutputs } from '../batch-crash/verify-outputs.ts';
import { secondsUntil } from '../killed-work.ts';
import { type Drop, FOLDERS, type FolderRun, SHARE_PREFIX, SHARE_PROFILE } from './run.ts';

const SETTLED_WITHIN_SECONDS = 180;

/** Everything that does not add up after a run. */
export async function checkDrops(run: FolderRun): Promise<string[]> {
  const uploads = run.drops.map(({ file, unanswered }) => ({ file, unanswered, jobId: undefined }));
  return [...checkJobs(run), ...(await checkFiles(run)), ...(await verifyOutputs({ ...run, uploads }))];
}

function checkJobs({ drops, jobs, kills, maxConcurrency }: FolderRun): string[] {
  const byName = Map.groupBy(jobs, ({ fileName }) => fileName);
  const interrupted = jobs.filter(({ errorCode }) => errorCode === 'job.interrupted').length;
  return [
    ...drops.flatMap((drop) => checkDrop(drop, byName.get(drop.file.name) ?? [])),
    ...jobs.flatMap(checkHistory),
    ...(byName.size === drops.length ? [] : [`${byName.size} names of ${drops.length} files`]),
    ...(interrupted > kills * maxConcurrency
      ? [`${interrupted} jobs were interrupted by ${kills} kills`]
      : []),
  ];
}

/** One job of a file ends as the file must. Interrupted ones may precede it; a repeated put may be refused after it. */
function checkDrop({ file, unanswered }: Drop, jobs: readonly DetailedJob[]): string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void =>
    void (holds || problems.push(`${file.name}: ${problem}`));
  const having = (code: string | null) => jobs.filter(({ errorCode }) => errorCode === code);
  const refused = having('file.already-processed');
  const ended = jobs.filter((job) => job.errorCode !== 'job.interrupted' && !refused.includes(job));
  expect(refused.length <= unanswered, `${refused.length} refused of ${unanswered} repeated puts`);
  // A broken file frees its name, and a repeated put of it has the same tag: it is known.
  expect(ended.length === 1, `${ended.length} jobs ended by themselves`);
  for (const { status, errorCode, source, profileName } of ended) {
    expect(errorCode === (file.failsWith ?? null), `${status}, ${errorCode}`);
    expect(status === (file.failsWith ? 'Failed' : 'Completed'), status);
    expect(source === 'WatchedFolder' && profileName === file.profile, `${source} of ${profileName}`);
  }
  return problems;
}

/** A signed file is in output/ and no more in its folder; a failed one stays, with its copy in error/. */
async function checkFiles({ engine, api, share, drops, jobs }: FolderRun): Promise<string[]> {
  const keysOf = (prefix: string) =>
    onStoresOf(engine.dataDir, ({ s3 }) => listKeys(s3, bucketName('batch'), prefix));
  await secondsUntil(async () => (await keysOf('processing/')).length === 0, SETTLED_WITHIN_SECONDS);
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  expect((await keysOf('processing/')).length === 0, 'files are left in processing/');
  expect((await api.jobsInFlight()) === 0, 'a slot is left');
  const completed = jobs.filter(({ status }) => status === 'Completed').length;
  const outputs = await keysOf('output/');
  expect(outputs.length === completed, `${outputs.length} outputs of ${completed} jobs`);

  const expected = drops
    .filter(({ file }) => file.failsWith !== undefined)
    .map(({ file }) =>
      file.profile === SHARE_PROFILE
        ? `${SHARE_PREFIX}/${file.name}`
        : `input/${FOLDERS[file.profile]}/${file.name}`,
    );
  const found = [...(await keysOf('input/')), ...(await keysOnShare(share))];
  const left = new Set(found);
  for (const key of expected) expect(left.delete(key), `${key} failed, and is gone`);
  expect(left.size === 0, `left in folders: ${[...left].join(', ')}`);
  return problems;
}

async function keysOnShare(share: ShareServer): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await share.at('').list('', { cursor });
    keys.push(...page.files.map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor);
  return keys;
}

async function listKeys(client: S3Client, Bucket: string, Prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
    keys.push(...Contents.map(({ Key = '' }) => Key));
  client.destroy();
  return keys;
}
