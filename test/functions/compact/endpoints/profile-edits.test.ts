import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { outputKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { handler as getBatchOutput } from '../../../../functions/batch/jobs/endpoints/get-job-output.ts';
import { removeProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { handler as getOutput } from '../../../../functions/compact/endpoints/get-job-output.ts';
import { handler as retry } from '../../../../functions/compact/endpoints/retry-job.ts';
import { files } from '../../../../shared/files/files.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { field } from '../../../shared/http/body/form-data.ts';
import { ask, refusalOf } from '../../batch/jobs/operator.ts';
import { batchStage } from '../../batch/stage.ts';
import { list, named, read, send, uploaded } from '../client.ts';
import { newJobAt } from '../jobs.ts';

const stage = await forFile(batchStage());
beforeEach(() => {
  vi.stubEnv('Compact__Profile', 'edited');
});
afterEach(() => stage.run());

const ENCRYPTION = { password: 'a-long-password', salt: Buffer.alloc(16, 5).toString('base64') };
const clear = () => stage.profile({ name: 'edited', encryption: null });
const encrypting = () => stage.profile({ name: 'edited', encryption: ENCRYPTION });

const of = (jobId: string) => ({ params: { jobId } });
const isFoundEncrypted = async (fileName: string): Promise<boolean[]> => {
  const totals = [];
  for (const encryptionEnabled of ['true', 'false'])
    totals.push((await list({ filenameContains: fileName, encryptionEnabled })).total);
  expect(totals.reduce((sum, total) => sum + total)).toBe(1);
  return [totals[0] === 1];
};

describe('whether a job is encrypted', () => {
  test('stays as it was when the job was released, whatever becomes of its profile', async () => {
    await clear();
    const plain = await uploaded('plain.txt');
    await stage.run();
    await encrypting();
    const sealed = await uploaded('sealed.txt');
    await stage.run();
    expect((await stage.job(sealed)).outputName).toBe('sealed.txt.p7m.enc');
    for (const edit of [clear, encrypting, () => removeProfile('test', 'edited', Date.now())]) {
      await edit();
      expect(await read(plain)).toMatchObject({ status: 'Completed', encryptionEnabled: false });
      expect(await read(sealed)).toMatchObject({ status: 'Completed', encryptionEnabled: true });
      expect([await isFoundEncrypted('plain.txt'), await isFoundEncrypted('sealed.txt')]).toEqual([
        [false],
        [true],
      ]);
    }
  });

  test('is told of one that waits as it was when it was created, and then as it was done', async () => {
    await clear();
    const id = await uploaded('waiting.txt');
    await encrypting();
    expect(await read(id)).toMatchObject({ status: 'Pending', encryptionEnabled: false });
    expect(await isFoundEncrypted('waiting.txt')).toEqual([false]);
    await stage.run();
    expect((await stage.job(id)).outputName).toBe('waiting.txt.p7m.enc');
    expect(await read(id)).toMatchObject({ status: 'Completed', encryptionEnabled: true });
    expect(await isFoundEncrypted('waiting.txt')).toEqual([true]);
  });

  test('is a filter that costs as much as any other', async () => {
    const callsOf = async (query: Record<string, string>) =>
      (await countCalls(() => list({ ...query, pageSize: '2' }))).byCommand;
    expect(await callsOf({ encryptionEnabled: 'false' })).toEqual(await callsOf({ source: 'RestApi' }));
  });
});

test('encryption is refused at the upload where the profile does not say how, with words', async () => {
  await clear();
  const before = (await files('batch').list('uploads/')).files.length;
  const { status, json } = await send(named('how.txt'), field('encryptionEnabled', 'true'));
  expect([status, json()]).toMatchObject([
    400,
    {
      code: 'request.invalid',
      errors: { encryptionEnabled: [expect.stringContaining('profile edited does not say how to encrypt')] },
    },
  ]);
  expect((await files('batch').list('uploads/')).files.length).toBe(before);
  await encrypting();
  expect((await send(named('how.txt'), field('encryptionEnabled', 'true'))).status).toBe(202);
});

test('the output of a completed job is given under the name that it was released by, whatever becomes of its profile', async () => {
  await clear();
  const id = await uploaded('kept.txt');
  await stage.run();
  for (const edit of [encrypting, () => removeProfile('test', 'edited', Date.now())]) {
    await edit();
    const { status, headers } = await ask(getOutput, of(id));
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="kept.txt.p7m"']);
  }
  await encrypting();
  // The full surface looks for the name of the present rules.
  expect(await refusalOf(getBatchOutput, { params: { id } })).toEqual([410, 'job.output-gone']);
  await files('batch').remove(outputKey('kept.txt.p7m'));
  expect(await refusalOf(getOutput, of(id))).toEqual([410, 'job.output-gone']);
});

test('a document of a signer folder that was canceled is not retried here: only what failed is', async () => {
  const folderDocument = {
    folderId: randomUUID(),
    documentId: randomUUID(),
    flowActionId: randomUUID(),
    keyReachedAtMs: null,
    cpf: null,
  };
  const { id } = await newJobAt(Date.now(), { source: 'SignerFolder', folderDocument, state: 'Canceled' });
  expect(await refusalOf(retry, { method: 'POST', ...of(id) })).toEqual([409, 'job.not-failed']);
});
