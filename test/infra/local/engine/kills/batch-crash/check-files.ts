import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { bucketName } from '../../../../../../shared/settings/names.ts';
import { onStoresOf } from '../../engine-stores.ts';
import { secondsUntil } from '../killed-work.ts';
import type { CrashRun } from './run.ts';

// Files of a job that ended right before a kill are settled by the sweeper, a minute later at most.
const SETTLED_WITHIN_SECONDS = 180;

/** Every file that is not where the end of its job puts it. */
export async function checkFiles({ engine, api, jobs, uploads }: CrashRun): Promise<string[]> {
  const keysOf = (prefix: string) => listKeys(engine.dataDir, prefix);
  await secondsUntil(async () => (await keysOf('processing/')).length === 0, SETTLED_WITHIN_SECONDS);
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => void (holds || problems.push(problem));

  const staged = await keysOf('processing/');
  expect(staged.length === 0, `left in processing/: ${staged.join(', ')}`);
  expect((await api.jobsInFlight()) === 0, 'a slot is left');

  const completed = jobs.filter(({ status }) => status === 'Completed');
  const outputs = await keysOf('output/');
  expect(outputs.length === completed.length, `${outputs.length} outputs of ${completed.length} jobs`);

  // An input is that of its upload. It stays unless the upload's job or a retry of it is Completed.
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const rootOf = (id: string): string => {
    const parentId = byId.get(id)?.parentJobId;
    return parentId ? rootOf(parentId) : id;
  };
  const signed = new Set(completed.map(({ id }) => rootOf(id)));
  const inputs = new Set((await keysOf('uploads/')).map(jobIdOf));
  for (const { id, fileName } of jobs.filter(({ parentJobId }) => parentJobId === null))
    expect(
      inputs.has(id) !== signed.has(id),
      `the input of ${fileName}, job ${id}, is wrongly kept or removed`,
    );
  // A killed upload leaves a file without a job. The collector removes it a day later.
  const orphans = [...inputs].filter((id) => !byId.has(id)).length;
  const unanswered = uploads.reduce((sum, upload) => sum + upload.unanswered, 0);
  expect(orphans <= unanswered, `${orphans} inputs without a job of ${unanswered} unanswered uploads`);

  for (const key of await keysOf('error/'))
    expect(byId.get(jobIdOf(key))?.status === 'Failed', `${key} is not of a failed job`);
  return problems;
}

const jobIdOf = (key: string): string => key.split('/').at(-2) ?? '';

const listKeys = (dataDir: string, prefix: string): Promise<string[]> =>
  onStoresOf(dataDir, async ({ s3: client }) => {
    const keys: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client },
      { Bucket: bucketName('batch'), Prefix: prefix },
    ))
      keys.push(...Contents.map(({ Key = '' }) => Key));
    return keys;
  });
