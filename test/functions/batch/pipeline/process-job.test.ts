import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { handler as getJob } from '../../../../functions/batch/jobs/endpoints/get-job.ts';
import { eventList, readEvents } from '../../../../functions/batch/operations/domain/events.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { setEnabled } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { profiles } from '../../../../functions/batch/profiles/domain/profile.ts';
import { generalizedTime, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import { files } from '../../../../shared/files/files.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { digestAlgorithm } from '../../../../shared/signing/digest.ts';
import { openEnveloped } from '../../../../shared/signing/encryption/open-enveloped.ts';
import { openWithPassword, passwordKey } from '../../../../shared/signing/encryption/password-envelope.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { aPdf } from '../../session/pdfs.ts';
import { fileOf, payment, remittance, withLotSums } from '../jobs/cnab240/remittance.ts';
import { ask } from '../jobs/operator.ts';
import { batchStage } from '../stage.ts';

// The real one, in whose place a test writes to the input.
vi.mock('../../../../shared/signing/verification/verify-signed-file.ts', async (importOriginal) => {
  const original =
    await importOriginal<typeof import('../../../../shared/signing/verification/verify-signed-file.ts')>();
  return { ...original, verifySignedFile: vi.fn(original.verifySignedFile) };
});

const stage = await forFile(batchStage());
await stage.profile({ name: 'remessas', checkCnab240: true, preserveFileExtension: true });
await stage.profile({ name: 'undated', checkCnab240: true, checkCnab240PaymentDates: false });
await stage.profile({ name: 'pem', saveAsPem: true, verify: false });
const salt = Buffer.from('sinete-local-salt').toString('base64');
await stage.profile({ name: 'sealed', encryption: { password: 'sinete-local-password', salt } });
await stage.profile({ name: 'expired', validateCertificate: true }, '12345678909');

const store = () => files('batch');
const keysOf = async (prefix: string) => (await store().list(prefix)).files.map(({ key }) => key);
const bytesOf = async (key: string) => {
  const found = await store().get(key);
  return found && buffer(found.stream);
};
const counted = (series: string) =>
  metricsLedger.read(async (readNode) => {
    const found = [...(await readNode(''))].filter(([field]) => field.startsWith(series));
    return found.reduce((sum, [, count]) => sum + count, 0);
  });

/** A remittance of one payment on this day. */
const paidOn = (date: string): Buffer => fileOf(remittance([payment('A', { date })]));

let uploads = 0;
/** Uploads one file under a name of its own and takes it to its end. */
async function processed(name: string, content: string | Uint8Array, options: object = {}): Promise<Job> {
  const { id } = await stage.upload(`${++uploads}-${name}`, content, options);
  await stage.run();
  return stage.job(id);
}

describe('a job that succeeds', () => {
  test('is signed, verified and placed in output/, and its input and staged copy are deleted', async () => {
    const job = await processed('report.pdf', await aPdf());
    expect(job).toMatchObject({ state: 'Completed', format: 'Pades', errorCode: null });
    expect(job.history.map(({ status }) => status)).toEqual([
      'Queued',
      'Processing',
      'Verifying',
      'Completed',
    ]);
    expect(await keysOf('output/')).toContain(`output/${job.fileName.replace('.pdf', '.signed.pdf')}`);
    expect(await keysOf(`uploads/${job.id}`)).toEqual([]);
    expect(await keysOf(`processing/${job.id}`)).toEqual([]);
  });

  test.each([
    ['data.bin', 'Cades', 'data.bin.p7m', {}],
    ['contract.xml', 'Xades', 'contract.signed.xml', {}],
    ['data.bin', 'Cades', 'data.bin.pem', { profile: 'pem' }],
    ['data.bin', 'Cades', 'data.bin.p7m.enc', { profile: 'sealed' }],
    ['page.pdf', 'Cades', 'page.pdf.p7m', { format: 'Cades' }],
  ])('%s becomes, as %s, %s', async (name, format, output, options) => {
    const job = await processed(name, '<a>some content</a>', options);
    expect(job).toMatchObject({ state: 'Completed', format });
    expect(job.outputName).toBe(`${job.fileName.slice(0, -name.length)}${output}`);
    expect(await keysOf(`output/${job.outputName}`)).toHaveLength(1);
  });

  test('that is too large for the memory of a worker is signed on its disk, and leaves nothing there', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'sinete-worker-'));
    vi.stubEnv('TMPDIR', disk);
    onTestFinished(() => {
      vi.stubEnv('TMPDIR', dirname(disk));
      rmSync(disk, { recursive: true });
    });
    const content = randomBytes(1_500_000);
    const job = await processed('large.bin', content);
    expect(job).toMatchObject({ state: 'Completed', staged: { length: content.length } });
    const output = (await bytesOf(`output/${job.outputName}`)) ?? Buffer.alloc(0);
    expect(output.length).toBeGreaterThan(content.length);
    const options = { format: 'cades', atMs: Date.now() } as const;
    expect(await verifySignedFile(output, options)).toEqual({ ok: true });
    expect(readdirSync(disk)).toEqual([]);
  });

  test('of a profile that saves as PEM and skips verification is text, and the skip is counted', async () => {
    const job = await processed('data.bin', 'content', { profile: 'pem' });
    expect(String(await bytesOf(`output/${job.outputName}`))).toMatch(/^-----BEGIN PKCS7-----/);
    expect(await counted('bulk_jobs_verify_skipped_total')).toBeGreaterThan(0);
  });

  test('of a profile with a password gives an envelope that the password opens', async () => {
    const before = await counted('bulk_files_encrypted_total');
    const job = await processed('secret.bin', 'content', { profile: 'sealed' });
    const sealed = await bytesOf(`output/${job.outputName}`);
    const key = await passwordKey('sinete-local-password', Buffer.from('sinete-local-salt'));
    const opened = await buffer(Readable.from(openWithPassword(() => Readable.from([sealed]), key)));
    expect(opened.includes('content')).toBe(true);
    expect(await counted('bulk_files_encrypted_total')).toBe(before + 1);
  });

  test('of a profile with a certificate gives an envelope that its key opens', async () => {
    const { entries } = await openPkcs12(readFileSync(stage.sandbox.pki('holders/47363361886.p12')), '1234');
    const [recipient] = entries;
    if (!recipient) throw new Error('The holder has no key.');
    const certificate = recipient.certificate.der.toString('base64');
    await stage.profile({ name: 'enveloped', encryption: { certificate } });
    const job = await processed('enveloped.bin', 'content', { profile: 'enveloped' });
    const sealed = await bytesOf(`output/${job.outputName}`);
    const opened = await buffer(Readable.from(openEnveloped(Readable.from([sealed]), recipient)));
    expect(opened.includes('content')).toBe(true);
  });

  test('names the signature policy of its format', async () => {
    const policy = sequence(
      digestAlgorithm('sha256'),
      sequence(oid('2.16.76.1.7.1.1.2.3'), generalizedTime(Date.UTC(2020, 0, 1)), sequence()),
      octetString(Buffer.alloc(32, 5)),
    );
    const path = stage.sandbox.path('policy.der');
    writeFileSync(path, policy);
    vi.stubEnv('Signing__Policies__Cades', path);
    const job = await processed('policy.bin', 'content');
    vi.stubEnv('Signing__Policies__Cades', undefined);
    const signed = await bytesOf(`output/${job.outputName}`);
    expect(signed?.includes(oid('2.16.76.1.7.1.1.2.3'))).toBe(true);
    expect(signed?.includes(Buffer.alloc(32, 5))).toBe(true);
  });

  test('of a remittance keeps its figures and its extension', async () => {
    const job = await processed('folha.rem', paidOn('31122099'), { profile: 'remessas' });
    expect(job).toMatchObject({ state: 'Completed', cnab240: { paymentCount: expect.any(Number) } });
    expect(job.outputName).toMatch(/folha\.signed\.rem$/);
  });

  test('of a profile with timestamps carries one of the configured authority', async () => {
    await stage.profile({ name: 'stamped', timestamp: true });
    vi.stubEnv('Signing__TimestampAuthorities', `${stage.sandbox.url}/sandbox/pki/timestamp`);
    const job = await processed('stamped.bin', 'content', { profile: 'stamped' });
    vi.stubEnv('Signing__TimestampAuthorities', undefined);
    expect(job).toMatchObject({ state: 'Completed' });
    // id-aa-timeStampToken, 1.2.840.113549.1.9.16.2.14
    const oid = Buffer.from('060b2a864886f70d010910020e', 'hex');
    expect((await bytesOf(`output/${job.outputName}`))?.includes(oid)).toBe(true);
  });

  test('of a profile that was disabled meanwhile finishes', async () => {
    await stage.profile({ name: 'leaving' });
    const { id } = await stage.upload('queued.bin', 'content', { profile: 'leaving' });
    await setEnabled('test', 'leaving', false, Date.now());
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ state: 'Completed' });
  });

  test('whose input was rewritten leaves it in place and records the divergence', async () => {
    const { id } = await stage.upload('rewritten.bin', 'content');
    const claimed = await stage.claim();
    const { inputKey } = await stage.job(id);
    if (!claimed || !inputKey) throw new Error('It is the only job.');
    vi.mocked(verifySignedFile).mockImplementationOnce(async () => {
      await store().put(inputKey, Buffer.from('another content'), { contentType: 'text/plain' });
      return { ok: true };
    });
    await stage.process(claimed);
    const job = await stage.job(id);
    expect(job).toMatchObject({ state: 'Completed', errorCode: 'job.input-diverged' });
    expect(job.history.at(-1)).toMatchObject({ status: 'Completed', message: job.errorMessage });
    const { total } = await eventList('InputDiverged').slice({ offset: 0, limit: 0 });
    expect(total).toBe(1);
    expect(String(await bytesOf(inputKey))).toBe('another content');
    expect(await counted('bulk_inputs_diverged_total')).toBe(1);
  });
});

describe('the event log', () => {
  const typesOf = async (job: Job) => {
    const { events } = await readEvents({ offset: 0, limit: 200 });
    return events
      .filter(({ jobId }) => jobId === job.id)
      .map(({ type }) => type)
      .toSorted();
  };

  test('has each step of a job that is completed', async () => {
    expect(await typesOf(await processed('told.bin', 'content'))).toEqual([
      'JobCompleted',
      'JobCreated',
      'JobPickedForProcessing',
      'OutputFileCreated',
    ]);
  });

  test('has the reason of a remittance that is refused beside its failure', async () => {
    const invalid = await processed('told.rem', 'none', { profile: 'remessas' });
    expect(await typesOf(invalid)).toEqual([
      'Cnab240ValidationFailed',
      'JobCreated',
      'JobFailed',
      'JobPickedForProcessing',
    ]);
    const late = await processed('late.rem', paidOn('02012020'), { profile: 'remessas' });
    expect(await typesOf(late)).toContain('Cnab240PaymentDatePassed');
  });
});

describe('a job that fails', () => {
  const expectFailed = async (job: Job, errorCode: string) => {
    expect(job).toMatchObject({
      state: 'Failed',
      errorCode,
      errorMessage: expect.any(String),
      outputName: null,
    });
    expect(job.history.at(-1)).toMatchObject({ status: 'Failed', message: job.errorMessage });
    expect(await keysOf(`uploads/${job.id}`)).toHaveLength(1);
    expect(await keysOf(`processing/${job.id}`)).toEqual([]);
    expect(await keysOf(`error/${job.id}`)).toEqual([`error/${job.id}/${job.fileName}`]);
    expect(job.staged).toMatchObject({ length: expect.any(Number), sha256: expect.any(String) });
  };

  test('with a certificate that is not valid records job.certificate-invalid and counts it', async () => {
    const { result: job, lines } = await logOf(() =>
      processed('late.bin', 'content', { profile: 'expired' }),
    );
    await expectFailed(job, 'job.certificate-invalid');
    const told = { level: 'WARN', jobId: job.id, code: job.errorCode, reason: job.errorMessage };
    expect(lines.filter(({ event }) => event === 'JobFailed')).toEqual([expect.objectContaining(told)]);
    expect(job.errorMessage).toContain('EXPIRED');
    expect(await counted('bulk_cert_validation_failed_total')).toBe(1);
  });

  test('as no remittance records cnab240.invalid', async () => {
    await expectFailed(
      await processed('folha.rem', 'not a remittance', { profile: 'remessas' }),
      'cnab240.invalid',
    );
  });

  test('with a payment date in the past records cnab240.payment-date-passed, unless the check is off', async () => {
    const past = paidOn('02012020');
    const job = await processed('velha.rem', past, { profile: 'remessas' });
    await expectFailed(job, 'cnab240.payment-date-passed');
    expect(job.errorMessage).toContain('2020-01-02');
    expect(job.cnab240).toMatchObject({ earliestPaymentDate: '2020-01-02' });
    expect(await processed('velha.rem', past, { profile: 'undated' })).toMatchObject({ state: 'Completed' });
    expect(await counted('bulk_cnab240_payment_date_checks_skipped_total')).toBe(1);
  });

  test('with a lot whose sum is not that of its payments records cnab240.invalid where the profile checks it', async () => {
    await stage.profile({ name: 'summed', checkCnab240: true, checkCnab240LotSums: true });
    const wrong = (value: number) =>
      fileOf(withLotSums(remittance([payment('A', { date: '31122099', value })]), '9'.repeat(18)));
    const said =
      'The trailer of lot 0001 states a sum of R$ 9.999.999.999.999.999,99, and its payments add up to R$ 12,34.';
    const refused = await processed('somas.rem', wrong(1_234), { profile: 'summed' });
    expect(refused).toMatchObject({ state: 'Failed', errorCode: 'cnab240.invalid', errorMessage: said });
    const signed = await processed('somas.rem', wrong(5_678), { profile: 'remessas' });
    expect(signed).toMatchObject({ state: 'Completed', cnab240: { lotSums: { count: 1, lot: '0001' } } });
    const { cnab240 } = (await ask(getJob, { params: { id: signed.id } })).json() as { cnab240: object };
    expect(cnab240).toMatchObject({ totalFormatted: 'R$ 56,78' });
    expect(cnab240).not.toHaveProperty('lotSums');
  });

  test('with a profile whose key does not open records profile.degraded', async () => {
    await stage.profile({ name: 'broken' });
    const { id } = await stage.upload('broken.bin', 'content', { profile: 'broken' });
    const stored = await profiles.get('broken');
    if (stored) await profiles.change(stored, { sealedKey: 'not sealed' });
    await stage.run();
    await expectFailed(await stage.job(id), 'profile.degraded');
  });

  test('as no PDF records job.signing-failed with the reason', async () => {
    const job = await processed('broken.pdf', 'not a PDF');
    await expectFailed(job, 'job.signing-failed');
    expect(job.errorMessage).toContain('This is not a PDF');
  });

  test('with timestamps and no authority to ask says which setting is missing', async () => {
    await stage.profile({ name: 'unstamped', timestamp: true });
    const job = await processed('unstamped.bin', 'content', { profile: 'unstamped' });
    await expectFailed(job, 'job.signing-failed');
    expect(job.errorMessage).toContain('Signing:TimestampAuthorities');
  });

  test('without its input records job.input-missing', async () => {
    const { id, inputKey } = await stage.upload('gone.bin', 'content');
    await store().remove(inputKey ?? '');
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.input-missing' });
  });

  test('frees its name and path, so that the file can be uploaded again', async () => {
    const { fileName } = await processed('again.pdf', 'not a PDF');
    await stage.upload(fileName, await aPdf());
    await stage.run();
    expect((await jobList({ state: 'Queued' }).page({ page: 1, pageSize: 1 })).total).toBe(0);
  });
});

test('with the rule of names off, a second output of one name carries the beginning of its job id', async () => {
  vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
  const first = await stage.upload('twice.bin', 'one');
  await stage.run();
  const second = await stage.upload('twice.bin', 'two');
  await stage.run();
  vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
  expect((await stage.job(first.id)).outputName).toBe('twice.bin.p7m');
  expect((await stage.job(second.id)).outputName).toBe(`twice.bin.${second.id.slice(0, 8)}.p7m`);
  await expect(stage.upload('twice.bin', 'three')).rejects.toMatchObject({ code: 'file.already-processed' });
});
