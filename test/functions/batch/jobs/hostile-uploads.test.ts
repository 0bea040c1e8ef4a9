import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { UPLOADS } from '../../../../functions/batch/jobs/domain/upload-file.ts';
import { handler as uploadFile } from '../../../../functions/batch/jobs/endpoints/upload-file.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../shared/files/files.ts';
import { type Answered, call, type Request } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { FORM_TYPE, field, filePart, formData, type RawPart } from '../../../shared/http/body/form-data.ts';
import { batchStage } from '../stage.ts';

const stage = await forFile(batchStage());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

const MAX_BYTES = 1_000_000;

// Every call from an address of its own, so that no test spends another's allowance.
const post = (request: Request): Promise<Answered> =>
  call(uploadFile, {
    method: 'POST',
    address: randomUUID(),
    ...request,
    headers: { 'X-API-Key': SANDBOX_KEY, ...FORM_TYPE, ...request.headers },
  });

const send = (...parts: RawPart[]): Promise<Answered> => post({ body: formData(...parts) });

const named = (name: string): RawPart =>
  filePart('content', { disposition: `filename*=UTF-8''${encodeURIComponent(name)}` });

type Uploaded = { readonly jobId: string; readonly fileName: string; readonly originalPath: string };

const countJobs = async (): Promise<number> => (await jobList().page({ page: 1, pageSize: 1 })).total;
const countFiles = async (): Promise<number> => (await files('batch').list(`${UPLOADS}/`)).files.length;

/** The answer is this refusal, and neither a job nor a file is left of it. */
async function expectRefused(ask: () => Promise<Answered>, status: number, code: string): Promise<void> {
  const before = [await countJobs(), await countFiles()];
  const answer = await ask();
  expect({ ...(answer.json() as object), status: answer.status }).toMatchObject({ status, code });
  expect([await countJobs(), await countFiles()]).toEqual(before);
}

/** Uploads under a name, and answers the name of the job and of its signed file. */
async function signedAs(name: string): Promise<readonly [string, string | null]> {
  const answer = await send(named(name));
  expect(answer.status).toBe(202);
  const { jobId, fileName, originalPath } = answer.json() as Uploaded;
  expect(originalPath).toBe(`input/uploads/${fileName}`);
  await stage.run();
  const { state, outputName } = await stage.job(jobId);
  expect(state).toBe('Completed');
  return [fileName, outputName];
}

describe('the name of an uploaded file', () => {
  test('of 900 characters is refused, as it was received', async () => {
    await expectRefused(() => send(named(`${'a'.repeat(896)}.bin`)), 400, 'job.path-too-long');
    // Sanitized it would be short.
    await expectRefused(() => send(named(`${'\u0001'.repeat(896)}.bin`)), 400, 'job.path-too-long');
  });

  test('of as many characters as a path may have comes back whole, and its output has a shorter one', async () => {
    const longest = 850 - 'input/uploads/'.length;
    await expectRefused(() => send(named(`${'b'.repeat(longest)}.`)), 400, 'job.path-too-long');
    const name = `${'á'.repeat(longest - 4)}.bin`;
    const [fileName, outputName] = await signedAs(name);
    expect(fileName).toBe(name);
    expect(outputName).toMatch(/^á+~[0-9a-f]{8}\.bin\.p7m$/);
    expect(Buffer.byteLength(outputName ?? '')).toBeLessThanOrEqual(255 + '.p7m'.length);
  });

  test('that is long is another name than one with the same beginning, and the same in any case', async () => {
    const nameOf = (ending: string): string => `${'c'.repeat(300)}${ending}.bin`;
    const [january] = await signedAs(nameOf('january'));
    const [february] = await signedAs(nameOf('february'));
    expect(january).not.toBe(february);
    await expectRefused(() => send(named(nameOf('JANUARY'))), 409, 'file.already-processed');
  });

  test.each([
    ['control characters', 'a\u0000b\u001b[31m\r\nc\u007f.bin', 'ab[31mc.bin'],
    ['a bidirectional override', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['an isolate and a byte order mark', '\uFEFFa\u2066b\u2069.bin', 'ab.bin'],
    ['a quotation mark and a percent sign', "it's 100%25.bin", "it's 100%25.bin"],
  ])('with %s loses what cannot be seen, and nothing else', async (_, name, expected) => {
    expect(await signedAs(name)).toEqual([expected, `${expected}.p7m`]);
  });

  test.each([
    ['a device', 'CON.bin', '_CON.bin'],
    ['a device with a port', 'lpt1 .txt', '_lpt1 .txt'],
    ['characters that Windows refuses', 'a<b>:"|?*.bin', 'a_b______.bin'],
    ['leading and trailing dots', '...hidden.bin. .', 'hidden.bin'],
    ['a formula', '=HYPERLINK("x").bin', '=HYPERLINK(_x_).bin'],
    ['accents in another form', 'ação.bin'.normalize('NFD'), 'ação.bin'.normalize('NFC')],
  ])('with %s comes back as it was given, and only its output has a safe one', async (_, name, safe) => {
    expect(await signedAs(name)).toEqual([name, `${safe}.p7m`]);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\maria\\folha.bin', 'folha.bin'],
    ['/absolute/path.bin', 'path.bin'],
    ['a\u2215b\uFF0Fc.bin', 'a\u2215b\uFF0Fc.bin'],
  ])('%s loses its folders', async (name, expected) => {
    expect((await signedAs(name))[0]).toBe(expected);
  });

  test.each(['', '.', '..', 'folder/', '..\\', '   ', '...', ' . ', '\u3000', '\u0001\u200B\u202E'])(
    '"%s" is none',
    async (name) => {
      await expectRefused(() => send(named(name)), 400, 'upload.invalid-name');
    },
  );

  // The same name in NFC, in NFD, in capitals, and with an invisible character:
  //
  //   upload 1  |--file 1--|--job 1 + claim of the name--| 202
  //   upload 2  |--file 2----|--claim: refused, file 2 removed--| 409
  test('in several spellings at once gives one job', async () => {
    const name = `Procuração-${randomUUID()}.PDF`;
    const spellings = [
      name,
      name.normalize('NFD'),
      name.toUpperCase(),
      name.toLowerCase().normalize('NFD'),
      `\u200B${name}`,
      `folder/${name}`,
    ];
    const before = [await countJobs(), await countFiles()];
    const answers = await Promise.all(spellings.map((spelling) => send(named(spelling))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
    const codes = answers
      .filter(({ status }) => status === 409)
      .map(({ json }) => (json() as { code: string }).code);
    expect(new Set(codes)).toEqual(new Set(['job.already-processing']));
    expect([await countJobs(), await countFiles()]).toEqual(before.map((count) => count + 1));
    await stage.run();
  });
});

describe('a form', () => {
  test.each<[string, RawPart[], string]>([
    ['without parts', [], 'upload.empty'],
    ['with an empty file', [filePart('')], 'upload.empty'],
    ['with an empty file without a name', [filePart('', { disposition: 'filename=""' })], 'upload.empty'],
    ['with an empty field', [field('file', '')], 'upload.empty'],
    ['whose file has another part name', [filePart('content', { name: 'document' })], 'upload.empty'],
    ['with a field of the query', [field('profile', 'default'), named('query-field.bin')], 'request.invalid'],
    ['with a field after its file', [named('late-field.bin'), field('format', 'Pades')], 'request.invalid'],
    ['whose part has no file name', [field('file', 'content')], 'upload.invalid-name'],
    [
      'whose file name is empty',
      [filePart('content', { disposition: 'filename=""' })],
      'upload.invalid-name',
    ],
  ])('%s is refused', async (_, parts, code) => {
    await expectRefused(() => send(...parts), 400, code);
  });

  test('with two files is refused, and neither becomes a job', async () => {
    const two = [named('first.bin'), named('second.bin')];
    await expectRefused(() => send(...two), 400, 'request.invalid');
    await expectRefused(
      () => post({ bodyStream: Readable.from([formData(...two)]) }),
      400,
      'request.invalid',
    );
  });

  // The file is whole and stored before the form turns out to be broken:
  //
  //   sender    |--file--boundary--|              |--a second file, or nothing--|
  //   function  |--stores it---------------|      refuses the form, removes the file: no job--|
  test.each([
    ['goes on with a second file', formData(named('early.bin'), named('late.bin'))],
    ['breaks off', formData(named('early.bin'), field('note', '')).subarray(0, -10)],
  ])('that %s after its file was stored is refused, and is no job', async (_, form) => {
    const before = await countFiles();
    const second = form.indexOf('Content-Disposition', form.indexOf('content'));
    const arriving = Readable.from(
      (async function* () {
        yield form.subarray(0, second);
        await expect.poll(countFiles, { interval: 5 }).toBe(before + 1);
        yield form.subarray(second);
      })(),
    );
    await expectRefused(() => post({ bodyStream: arriving }), 400, 'request.invalid');
  });

  test('with a field that it has not is told which', async () => {
    const { json } = await send(named('told.bin'), field('profile', 'default'));
    expect(json()).toMatchObject({
      errors: { profile: [expect.stringContaining('is not a field of this form')] },
    });
  });

  test('with two parts of one name, one of them a field, takes the file', async () => {
    const answer = await send(named('beside-a-field.bin'), field('file', 'again'));
    expect(answer.status).toBe(202);
    await stage.run();
  });

  const whole = formData(named('truncated.bin'));
  test.each([
    ['in the headers of its part', 40],
    ['in its file', whole.indexOf('content') + 3],
    ['before its last boundary', whole.indexOf('content') + 'content'.length],
    ['in its last boundary', whole.length - 5],
  ])('that ends %s is refused, and its file is no job', async (_, length) => {
    await expectRefused(() => post({ body: whole.subarray(0, length) }), 400, 'request.invalid');
    const arriving = Readable.from([whole.subarray(0, length)]);
    await expectRefused(() => post({ bodyStream: arriving }), 400, 'request.invalid');
  });

  test('whose sender hangs up is no job', async () => {
    const before = [await countJobs(), await countFiles()];
    const cut = Readable.from(
      (async function* () {
        yield whole.subarray(0, whole.length - 20);
        throw new Error('aborted');
      })(),
    );
    expect((await post({ bodyStream: cut })).status).toBeGreaterThanOrEqual(400);
    expect([await countJobs(), await countFiles()]).toEqual(before);
  });

  test('of another type, or without a body, has no file', async () => {
    const headers = { 'Content-Type': 'application/octet-stream' };
    await expectRefused(() => post({ headers, body: Buffer.from('content') }), 400, 'upload.empty');
    await expectRefused(() => post({ headers: { 'Content-Type': '' }, body: '' }), 400, 'upload.empty');
  });

  test('over Http:MaxBodyBytes and below Upload:MaxBytes is too large a file', async () => {
    vi.stubEnv('Http__MaxBodyBytes', '2000');
    const large = filePart(Buffer.alloc(3_000), { disposition: 'filename="large.bin"' });
    await expectRefused(() => send(large), 413, 'upload.too-large');
    vi.stubEnv('Http__MaxBodyBytes', undefined);
  });
});

describe('a file over Upload:MaxBytes', () => {
  beforeEach(() => {
    vi.stubEnv('Upload__MaxBytes', String(MAX_BYTES));
  });
  afterEach(() => {
    vi.stubEnv('Upload__MaxBytes', '104857600');
  });

  test('is refused while its bytes arrive: the rest is not read', async () => {
    const CHUNK = Buffer.alloc(65_536);
    const TOTAL = 100 * MAX_BYTES;
    let taken = 0;
    const head = formData(named('endless.bin'));
    const endless = Readable.from(
      (function* () {
        yield head.subarray(0, head.indexOf('content'));
        for (; taken < TOTAL; taken += CHUNK.length) yield CHUNK;
      })(),
      { objectMode: false },
    );
    await expectRefused(() => post({ bodyStream: endless }), 413, 'upload.too-large');
    expect(taken).toBeLessThan(5 * MAX_BYTES);
  });

  test('by one byte is refused, and one of that size is not', async () => {
    const of = (name: string, bytes: number) =>
      filePart(Buffer.alloc(bytes), { disposition: `filename="${name}"` });
    await expectRefused(() => send(of('over.bin', MAX_BYTES + 1)), 413, 'upload.too-large');
    expect((await send(of('exact.bin', MAX_BYTES))).status).toBe(202);
    await stage.run();
  });
});

test.each([
  ['unknown', { profil: 'default' }],
  ['a repeated', { profile: ['default', 'default'] }],
  ['an empty', { profile: '' }],
  ['an unknown beside a known', { profile: 'default', encrypt: 'true' }],
])('%s parameter of the query is refused', async (_, query) => {
  await expectRefused(
    () => post({ query, body: formData(named('query.bin')) }),
    400,
    'validation.filter-invalid',
  );
});

test.each([
  ['an empty', ''],
  ['a repeated', ['Cades', 'Cades']],
])('%s format is one that is not supported', async (_, format) => {
  await expectRefused(
    () => post({ query: { format }, body: formData(named('format.bin')) }),
    400,
    'upload.format-unsupported',
  );
});

test('a profile and a format are known in any case', async () => {
  const query = { profile: 'DEFAULT', format: 'cades' };
  const answer = await post({ query, body: formData(named('any-case.pdf')) });
  expect(answer.json()).toMatchObject({ format: 'Cades', status: 'Queued' });
  await stage.run();
});
