import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createJob } from '../../../../functions/batch/jobs/domain/job/create-job.ts';
import { handler as uploadToBatch } from '../../../../functions/batch/jobs/endpoints/upload-file.ts';
import { handler as uploadFile } from '../../../../functions/compact/endpoints/upload-file.ts';
import { files } from '../../../../shared/files/files.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { BOUNDARY, field, filePart, formData, type RawPart } from '../../../shared/http/body/form-data.ts';
import { ask } from '../../batch/jobs/operator.ts';
import { batchStage } from '../../batch/stage.ts';
import { headers, named, outcomeOf, read, send, uploaded } from '../client.ts';

const stage = await forFile(batchStage());
await stage.profile({ name: 'resting', enabled: false });
await stage.profile({ name: 'foldered', method: 'SignerFolder', signerFolder: { folderId: randomUUID() } });
await stage.profile({ name: 'scripts', preserveFileExtension: true });
afterEach(async () => {
  for (const name of ['Compact__Profile', 'FileValidation__AllowedExtensions', 'Upload__Enabled'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('compact__Pipeline__RejectAlreadyProcessedFileNames', undefined);
  await stage.run();
});

const inputs = async () => (await files('batch').list('uploads/')).files.length;

describe('an uploaded file', () => {
  test('is a pending job, with absolute links below the configured root, whatever the Host header says', async () => {
    vi.stubEnv('Http__PublicUrl', 'https://sign.example/root');
    const { status, json } = await ask(uploadFile, {
      headers: { ...headers, Host: 'evil.example' },
      body: formData(named('first.txt')),
    });
    vi.stubEnv('Http__PublicUrl', undefined);
    const { jobId } = json() as { jobId: string };
    expect(status).toBe(202);
    expect(json()).toEqual({
      jobId,
      statusUrl: `https://sign.example/root/compact/api/jobs/${jobId}`,
      outputUrl: `https://sign.example/root/compact/api/jobs/${jobId}/output`,
    });
    expect(await read(jobId)).toMatchObject({ status: 'Pending', source: 'RestApi', fileName: 'first.txt' });
  });

  const FIELDS = [
    field('signatureFormat', 'cADES'),
    field('encryptionEnabled', 'False'),
    field('externalReference', 'Pedido nº 4711'),
  ];
  test.each([
    ['before', [...FIELDS, named('fields-before.pdf')]],
    ['after', [named('fields-after.pdf'), ...FIELDS]],
    ['around', [...FIELDS.slice(0, 1), named('fields-around.pdf'), ...FIELDS.slice(1)]],
  ])('takes its fields from %s the file', async (_, parts) => {
    const { status, json } = await send(...parts);
    expect(status).toBe(202);
    expect(await read((json() as { jobId: string }).jobId)).toMatchObject({
      signatureFormat: 'Cades',
      encryptionEnabled: false,
      externalReference: 'Pedido nº 4711',
    });
  });

  test.each([
    ['auto.pdf', 'Auto', 'Pades'],
    ['auto.xml', 'AUTO', 'Xades'],
    ['auto.zip', 'auto', 'Cades'],
    ['pdf-as-cades.pdf', 'Cades', 'Cades'],
    ['xades.xml', 'xades', 'Xades'],
    ['pades.pdf', 'Pades', 'Pades'],
  ])('%s with the format %s is signed as %s', async (name, signatureFormat, format) => {
    expect(await read(await uploaded(name, { signatureFormat }))).toMatchObject({ signatureFormat: format });
  });

  test('is signed by Compact:Profile, and else by the default one', async () => {
    expect(await stage.job(await uploaded('by-default.txt'))).toMatchObject({ profileName: 'default' });
    vi.stubEnv('Compact__Profile', 'SCRIPTS');
    expect(await stage.job(await uploaded('by-setting.txt'))).toMatchObject({ profileName: 'scripts' });
  });

  test('may have a reference of 512 characters, an empty one is none', async () => {
    const externalReference = 'r'.repeat(512);
    expect(await read(await uploaded('long.txt', { externalReference }))).toMatchObject({
      externalReference,
    });
    expect(await read(await uploaded('none.txt', { externalReference: '' }))).toMatchObject({
      externalReference: null,
    });
  });
});

describe('a form is refused and leaves no file', () => {
  const ROWS: readonly [string, string, readonly RawPart[]][] = [
    ['without a file', '400 upload.empty', [field('externalReference', 'x')]],
    ['with an empty file', '400 upload.empty', [named('empty.txt', '')]],
    ['with an empty field in place of the file', '400 upload.empty', [field('file', '')]],
    ['with a file without a name', '400 upload.invalid-name', [field('file', 'content')]],
    ['with an empty file name', '400 upload.invalid-name', [named('')]],
    ['with a file name of spaces', '400 upload.invalid-name', [named('   ')]],
    ['with a file name of dots', '400 upload.invalid-name', [named('...')]],
    ['with two files', '400 request.invalid', [named('one.txt'), named('two.txt')]],
    ['with a file and a field of its name', '400 request.invalid', [named('one.txt'), field('file', 'x')]],
    ['with a file of another name', '400 request.invalid', [filePart('x', { name: 'document' })]],
    ['with a path over 850 characters', '400 job.path-too-long', [named(`${'p'.repeat(850)}.txt`)]],
    [
      'with an unknown format',
      '400 upload.format-unsupported',
      [named('f.txt'), field('signatureFormat', 'Jades')],
    ],
    ['with an empty format', '400 upload.format-unsupported', [named('f.txt'), field('signatureFormat', '')]],
    [
      'with encryption where the profile has none',
      '400 request.invalid',
      [named('f.txt'), field('encryptionEnabled', 'true')],
    ],
    [
      'with encryption neither on nor off',
      '400 request.invalid',
      [named('f.txt'), field('encryptionEnabled', '1')],
    ],
    [
      'with a long reference',
      '400 request.invalid',
      [named('f.txt'), field('externalReference', 'r'.repeat(513))],
    ],
    ['with a misspelt field', '400 request.invalid', [named('f.txt'), field('encryptionEnable', 'true')]],
    [
      'with two formats',
      '400 request.invalid',
      [field('signatureFormat', 'Cades'), named('f.txt'), field('signatureFormat', 'Xades')],
    ],
    ['with a field named as a prototype', '400 request.invalid', [named('f.txt'), field('__proto__', 'x')]],
    [
      'with more fields than a form has',
      '400 request.invalid',
      [named('f.txt'), ...Array.from({ length: 40 }, (_, n) => field(`f${n}`, 'x'))],
    ],
  ];
  test.each(ROWS)('%s: %s', async (_, outcome, parts) => {
    await stage.run();
    const before = await inputs();
    expect(await outcomeOf(...parts)).toBe(outcome);
    expect(await inputs()).toBe(before);
  });

  test('that ends in the middle of its file', async () => {
    const whole = formData(named('cut.txt'));
    const { status, json } = await ask(uploadFile, {
      headers,
      body: whole.subarray(0, -BOUNDARY.length - 8),
    });
    expect([status, json()]).toEqual([400, expect.objectContaining({ code: 'request.invalid' })]);
  });

  test.each(['{}', ''])('that is no form, as one without its file: %j', async (body) => {
    const { status, json } = await ask(uploadFile, {
      headers: { 'X-API-Key': headers['X-API-Key'], ...(body && { 'Content-Type': 'application/json' }) },
      body,
    });
    expect([status, json()]).toEqual([400, expect.objectContaining({ code: 'upload.empty' })]);
  });

  test('that is over Http:MaxBodyBytes and below FileValidation:MaxFileSizeMb, as too large a file', async () => {
    vi.stubEnv('Http__MaxBodyBytes', '2000');
    const { status, json } = await ask(uploadFile, {
      headers,
      body: formData(named('large.txt', 'x'.repeat(3_000))),
    });
    expect([status, json()]).toEqual([413, expect.objectContaining({ code: 'upload.too-large' })]);
    vi.stubEnv('Http__MaxBodyBytes', undefined);
  });
});

describe('an upload is refused', () => {
  test('with an extension outside FileValidation:AllowedExtensions, in any case', async () => {
    vi.stubEnv('FileValidation__AllowedExtensions', 'pdf, .XML');
    expect(await outcomeOf(named('allowed.PDF'))).toBe('202');
    expect(await outcomeOf(named('allowed.xml'))).toBe('202');
    expect(await outcomeOf(named('program.exe'))).toBe('400 upload.extension-unsupported');
    expect(await outcomeOf(named('without'))).toBe('400 upload.extension-unsupported');
    expect(await outcomeOf(named('...'))).toBe('400 upload.invalid-name');
    // The shown name decides, and not the one that a browser was sent.
    expect(await outcomeOf(named('hidden.exe\u202E.pdf.'))).toBe('202');
  });

  test('over FileValidation:MaxFileSizeMb at its first byte, whatever Upload:MaxBytes is', async () => {
    vi.stubEnv('FileValidation__MaxFileSizeMb', '1');
    vi.stubEnv('Upload__MaxBytes', '10');
    const before = await inputs();
    expect(await outcomeOf(named('fits.bin', Buffer.alloc(1_048_576)))).toBe('202');
    const { status, json } = await send(named('over.bin', Buffer.alloc(1_048_577)));
    expect([status, json()]).toEqual([
      413,
      expect.objectContaining({
        code: 'upload.too-large',
        detail: expect.stringContaining('maxBytes: 1048576'),
      }),
    ]);
    expect(await inputs()).toBe(before + 1);
    vi.stubEnv('FileValidation__MaxFileSizeMb', undefined);
    vi.stubEnv('Upload__MaxBytes', undefined);
  });

  test.each([
    ['nobody', '400 profile.not-found'],
    ['resting', '409 profile.disabled'],
    ['foldered', '409 profile.takes-no-files'],
  ])('while Compact:Profile is %s: %s', async (profile, outcome) => {
    vi.stubEnv('Compact__Profile', profile);
    expect(await outcomeOf(named('profile.txt'))).toBe(outcome);
  });

  test('while uploads are switched off', async () => {
    vi.stubEnv('Upload__Enabled', 'false');
    expect(await outcomeOf(named('off.txt'))).toBe('409 upload.disabled');
  });

  test('without the key, or with a wrong one', async () => {
    for (const key of ['', 'not-the-key-of-anyone']) {
      const { status, json } = await call(uploadFile, {
        address: randomUUID(),
        headers: { ...headers, 'X-API-Key': key },
        body: formData(named('keyless.txt')),
      });
      expect([status, json()]).toEqual([401, expect.objectContaining({ code: 'auth.invalid-credentials' })]);
    }
  });
});

describe('a name', () => {
  const toBatch = (name: string) => ask(uploadToBatch, { headers, body: formData(named(name)) });

  test('that an active job has is refused, and one that a completed job has is not', async () => {
    const first = await uploaded('again.txt');
    expect(await outcomeOf(named('AGAIN.txt'))).toBe('409 job.already-processing');
    await stage.run();
    const second = await uploaded('again.txt');
    await stage.run();
    expect([(await stage.job(first)).outputName, (await stage.job(second)).outputName]).toEqual([
      'again.txt.p7m',
      `again.txt.${second.slice(0, 8)}.p7m`,
    ]);
  });

  test('of a job of the full surface is refused while it is active, and the reverse', async () => {
    expect((await toBatch('both.txt')).status).toBe(202);
    expect(await outcomeOf(named('both.txt'))).toBe('409 job.already-processing');
    await uploaded('reverse.txt');
    const refused = await toBatch('reverse.txt');
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'job.already-processing' }),
    ]);
  });

  test('of an active job with another path is refused too, and free when that job has ended', async () => {
    const key = 'input/inbox/folder-and-upload.txt';
    const { length, etag } = await files('batch').put(key, Buffer.from('x'), {
      contentType: 'text/plain',
    });
    await createJob(
      {
        id: randomUUID(),
        fileName: 'folder-and-upload.txt',
        originalPath: key,
        folder: 'inbox',
        inputShare: null,
        inputKey: key,
        format: 'Cades',
        source: 'WatchedFolder',
        parentJobId: null,
        profileName: 'default',
        externalReference: null,
        encryption: null,
        encryptionEnabled: false,
      },
      { message: 'Found.', input: { length, etag } },
      Date.now(),
    );
    expect(await outcomeOf(named('Folder-And-Upload.txt'))).toBe('409 job.already-processing');
    await stage.run();
    expect(await outcomeOf(named('folder-and-upload.txt'))).toBe('202');
  });

  test('that a completed job has is refused where the setting says so', async () => {
    await uploaded('strict.txt');
    await stage.run();
    vi.stubEnv('compact__Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await outcomeOf(named('strict.txt'))).toBe('409 file.already-processed');
  });

  test('that is uploaded several times at once makes one job', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(named('race.txt'))));
    expect(outcomes.toSorted()).toEqual([
      '202',
      ...Array.from({ length: 5 }, () => '409 job.already-processing'),
    ]);
  });
});
