import { randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { outputKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import { handler as getOutput } from '../../../../functions/batch/jobs/endpoints/get-job-output.ts';
import { handler as getArchive } from '../../../../functions/batch/jobs/endpoints/get-jobs-archive.ts';
import { removeProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { aPdf } from '../../session/pdfs.ts';
import { batchStage } from '../stage.ts';
import { jobsInState } from './jobs-in-state.ts';
import { ask, refusalOf } from './operator.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
// A job that a test leaves queued would be claimed in the next one.
afterEach(async () => void (await stage.run()));

const of = (id: string) => ({ params: { id } });
const storedOutput = (name: string) => files('batch').read(outputKey(name), 1_000_000);
const removeOutput = (name: string | null) => files('batch').remove(outputKey(name ?? ''));

describe('the output of a job', () => {
  test.each([
    ['plain.pdf', async () => aPdf(), 'plain.signed.pdf', 'application/pdf'],
    ['data.xml', async () => '<a>1</a>', 'data.signed.xml', 'application/xml'],
    ['data.bin', async () => 'bytes', 'data.bin.p7m', 'application/pkcs7-mime'],
  ])(
    'of %s is the file of output/, with its name, type and length',
    async (fileName, content, name, type) => {
      const { id } = await stage.upload(fileName, await content());
      await stage.run();
      const { status, headers, bytes } = await ask(getOutput, of(id));
      expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
        200,
        type,
        `attachment; filename="${name}"`,
      ]);
      expect(bytes).toEqual(await storedOutput(name));
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['content-security-policy']).toContain('sandbox');
    },
  );

  test('that is encrypted has the name with .enc', async () => {
    const encryption = { password: 'a password of the test', salt: Buffer.alloc(16, 3).toString('base64') };
    await stage.profile({ name: 'sealed', encryption });
    const { id } = await made.completed('secret.bin', { profile: 'sealed' });
    const { headers, bytes } = await ask(getOutput, of(id));
    expect(headers['content-disposition']).toBe('attachment; filename="secret.bin.p7m.enc"');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(bytes.subarray(0, 5).toString()).toBe('BSENC');
  });

  test.each(jobStates.states.filter((state) => state !== 'Completed'))(
    'of a %s job is unavailable',
    async (state) => {
      const { id } = await made.inState(state, `none-${state}.txt`);
      expect(await refusalOf(getOutput, of(id))).toEqual([409, 'job.output-unavailable']);
    },
  );

  test('that has left output/ is gone', async () => {
    const { id, outputName } = await made.completed('left.txt');
    await removeOutput(outputName);
    expect(await refusalOf(getOutput, of(id))).toEqual([410, 'job.output-gone']);
  });

  test('is looked for under the name that the rules of its profile give now', async () => {
    await stage.profile({ name: 'renaming' });
    const { id } = await made.completed('renamed.bin', { profile: 'renaming' });
    expect((await ask(getOutput, of(id))).status).toBe(200);
    await stage.profile({ name: 'renaming', saveAsPem: true });
    expect(await refusalOf(getOutput, of(id))).toEqual([410, 'job.output-gone']);
    await stage.profile({ name: 'renaming', saveAsPem: false });
    expect((await ask(getOutput, of(id))).status).toBe(200);
  });

  //   job 1  twin.bin -> twin.bin.p7m        its rules now say twin.bin.pem
  //   job 2  twin.bin -> twin.bin.pem        another content, of the same name
  test('is never the file of another job that has this name now', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await stage.profile({ name: 'twins' });
    const first = await made.completed('twin.bin', { profile: 'twins' });
    await stage.profile({ name: 'twins', saveAsPem: true });
    const second = await made.completed('twin.bin', { profile: 'twins' });
    expect([first.outputName, second.outputName]).toEqual(['twin.bin.p7m', 'twin.bin.pem']);
    expect(await refusalOf(getOutput, of(first.id))).toEqual([410, 'job.output-gone']);
    expect((await ask(getOutput, of(second.id))).status).toBe(200);
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
  });

  test('of a profile that was removed has the name that it was stored with', async () => {
    await stage.profile({ name: 'removed' });
    const { id, outputName } = await made.completed('kept.bin', { profile: 'removed' });
    await removeProfile('test', 'removed', Date.now());
    const { status, bytes } = await ask(getOutput, of(id));
    expect([status, bytes]).toEqual([200, await storedOutput(outputName ?? '')]);
  });

  test('of no job is not found', async () => {
    for (const id of [randomUUID(), 'archive', '../../etc/passwd'])
      expect(await refusalOf(getOutput, of(id))).toEqual([404, 'job.not-found']);
  });
});

describe('an archive', () => {
  const idsOf = (...ids: string[]) => ({ query: { id: ids } });

  test('has the outputs of its jobs, each once, whatever the case of an id', async () => {
    const [a, b] = [await made.completed('zip-a.bin'), await made.completed('zip-b.bin')];
    const { status, headers, bytes } = await ask(getArchive, idsOf(a.id, b.id, a.id.toUpperCase()));
    expect([status, headers['content-type']]).toEqual([200, 'application/zip']);
    const found = unzipSync(bytes);
    expect(Object.keys(found)).toEqual(['zip-a.bin.p7m', 'zip-b.bin.p7m']);
    expect(Buffer.from(found['zip-b.bin.p7m'] ?? [])).toEqual(await storedOutput('zip-b.bin.p7m'));
  });

  test('leaves out a file that is gone, unless all are', async () => {
    const [a, b] = [await made.completed('part-a.bin'), await made.completed('part-b.bin')];
    await removeOutput(a.outputName);
    const { bytes } = await ask(getArchive, idsOf(a.id, b.id));
    expect(Object.keys(unzipSync(bytes))).toEqual(['part-b.bin.p7m']);
    await removeOutput(b.outputName);
    expect(await refusalOf(getArchive, idsOf(a.id, b.id))).toEqual([410, 'job.output-gone']);
  });

  test('names at least one job, and at most 50 different ones', async () => {
    expect(await refusalOf(getArchive)).toEqual([400, 'job.archive-empty']);
    const many = Array.from({ length: 51 }, () => randomUUID());
    expect(await refusalOf(getArchive, idsOf(...many))).toEqual([400, 'job.archive-too-large']);
    const fifty = many.slice(0, 50);
    expect(await refusalOf(getArchive, idsOf(...fifty, ...fifty))).toEqual([404, 'job.not-found']);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['one that is no GUID', { id: 'report.pdf' }],
    ['one of several that is none', { id: [randomUUID(), 'x'] }],
    ['an empty one', { id: '' }],
    ['another parameter', { id: randomUUID(), ids: randomUUID() }],
  ])('refuses %s', async (_, query) => {
    expect(await refusalOf(getArchive, { query })).toEqual([400, 'validation.filter-invalid']);
  });

  test('of a job that is unknown is refused, before one that is unavailable', async () => {
    const { id } = await made.failed('zip-failed.txt');
    expect(await refusalOf(getArchive, idsOf(id, randomUUID()))).toEqual([404, 'job.not-found']);
  });

  test('with an unavailable job is refused, and names each, also in production', async () => {
    const done = await made.completed('zip-done.bin');
    const [failed, canceled] = [await made.failed('zip-f.txt'), await made.canceled('zip-c.txt')];
    const { status, json } = await ask(getArchive, idsOf(failed.id, done.id, canceled.id));
    const { code, detail, errors } = json() as { code: string; detail: string; errors: { id: string[] } };
    expect([status, code]).toEqual([409, 'job.output-unavailable']);
    expect(errors.id).toEqual([`${failed.id} (Failed)`, `${canceled.id} (Canceled)`]);
    expect(detail).toContain(failed.id);
    expect(detail).toContain(canceled.id);
    expect(detail).not.toContain(done.id);
  });
});
