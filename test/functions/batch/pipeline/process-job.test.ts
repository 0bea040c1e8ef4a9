import { afterAll, beforeAll, expect, test } from 'vitest';
import { files } from '../../../../shared/files/files.ts';
import { aPdf } from '../../session/pdfs.ts';
import { batchStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await batchStage();
});
afterAll(() => stage.stop());

const keysOf = async (prefix: string) => (await files('batch').list(prefix)).files.map(({ key }) => key);

test('an uploaded file is signed, verified and placed in output/, and its input is deleted', async () => {
  const { id } = await stage.upload('report.pdf', await aPdf());
  expect(await stage.run()).toEqual({ taken: 1, isOutOfTime: false });
  const job = await stage.job(id);
  expect(job).toMatchObject({ state: 'Completed', outputName: 'report.signed.pdf', errorCode: null });
  expect(job.history.map(({ status }) => status)).toEqual(['Queued', 'Processing', 'Verifying', 'Completed']);
  expect(await keysOf('output/')).toEqual(['output/report.signed.pdf']);
  expect(await keysOf('input/')).toEqual([]);
  expect(await keysOf('processing/')).toEqual([]);
});
