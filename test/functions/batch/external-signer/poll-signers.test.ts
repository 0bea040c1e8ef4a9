import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pollSigners } from '../../../../functions/batch/external-signer/domain/poll/poll-signers.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { ANA, BRUNO, signerStage } from './stage.ts';

const stage = await forFile(signerStage());
afterEach(() => {
  stage.platform.misbehave = () => undefined;
});

const HOUR_MS = 3_600_000;
let uploaded = 0;
const next = (): string => `file-${++uploaded}.pdf`;

describe('a document that is', () => {
  test('Concluded there is downloaded, verified and released', async () => {
    const job = await stage.dispatched('contract.pdf');
    await stage.conclude(job);
    await stage.poll();
    const done = await stage.job(job.id);
    expect(done).toMatchObject({ state: 'Completed', outputName: 'contract.signed.pdf', errorCode: null });
    expect(done.history.map(({ status }) => status)).toEqual([
      'Queued',
      'Processing',
      'AwaitingSigner',
      'Verifying',
      'Completed',
    ]);
    const output = await files('batch').get('output/contract.signed.pdf');
    expect(output && (await buffer(output.stream))).toEqual(stage.documentOf(job).signed);
    expect(await stage.keysOf(`processing/${job.id}`)).toEqual([]);
    expect(await stage.keysOf(`uploads/${job.id}`)).toEqual([]);
    expect((await readFlight()).slots).toEqual([]);
  });

  test.each(['Pending', 'FlowConcluded'])('%s there waits on, and nothing is written', async (status) => {
    const job = await stage.dispatched(next());
    stage.documentOf(job).status = status;
    await stage.poll();
    expect(await jobs.get(job.id)).toEqual(job);
    stage.documentOf(job).status = 'Canceled';
    await stage.poll();
  });

  test.each([
    [
      'Refused',
      'The amount is wrong.',
      'The document is Refused at the external service: The amount is wrong.',
    ],
    ['Expired', null, 'The document is Expired at the external service.'],
    ['Canceled', 'Replaced.', 'The document is Canceled at the external service: Replaced.'],
  ])('%s there fails the job with the reason', async (status, reason, message) => {
    const job = await stage.dispatched(next());
    Object.assign(stage.documentOf(job), { status, statusUpdateReason: reason });
    await stage.poll();
    const failed = await stage.job(job.id);
    expect(failed).toMatchObject({
      state: 'Failed',
      errorCode: 'signer.document-rejected',
      errorMessage: message,
    });
    expect(await stage.keysOf(`processing/${job.id}`)).toEqual([]);
    expect(await stage.keysOf(`error/${job.id}`)).toEqual([`error/${job.id}/${job.fileName}`]);
    expect(await stage.keysOf(`uploads/${job.id}`)).toHaveLength(1);
    // The name is free again.
    const again = await stage.dispatched(job.fileName);
    expect(again.state).toBe('AwaitingSigner');
    stage.documentOf(again).status = 'Refused';
    await stage.poll();
  });

  test('gone fails the job at once', async () => {
    const job = await stage.dispatched(next());
    stage.platform.documents.delete(stage.documentOf(job).id);
    await stage.poll();
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'signer.unreachable' });
  });
});

describe('a job that waits too long', () => {
  test('fails with signer.timeout, and its document is canceled', async () => {
    const job = await stage.dispatched(next());
    const document = stage.documentOf(job);
    await stage.poll(168 * HOUR_MS - 60_000);
    expect((await stage.job(job.id)).state).toBe('AwaitingSigner');
    await stage.poll(168 * HOUR_MS);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'signer.timeout' });
    await stage.runTasks();
    expect(document).toMatchObject({ status: 'Canceled' });
    expect((await stage.job(job.id)).history.at(-1)?.message).toBe(
      'The document was canceled at the external service.',
    );
  });

  test('fails so even when the external service does not answer', async () => {
    const job = await stage.dispatched(next());
    stage.platform.misbehave = () => ({ status: 503 });
    await stage.poll(169 * HOUR_MS);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'signer.timeout' });
    stage.platform.misbehave = () => undefined;
    await stage.runTasks();
  });
});

describe('an external service that', () => {
  const failing = [
    ['hangs up', 'hang-up'],
    ['answers 500', { status: 500 }],
    ['answers 401', { status: 401 }],
    ['answers HTML', { status: 200, body: '<html>Sign in</html>' }],
    ['answers another shape', { status: 200, body: '{"status":7}' }],
    ['answers 404 as HTML', { status: 404, body: '<html>Not found</html>' }],
  ] as const;

  test('fails in one of many ways has the polls in a row counted, and a success resets them', async () => {
    const job = await stage.dispatched(next());
    for (const [index, [, misbehavior]] of failing.slice(0, 5).entries()) {
      stage.platform.misbehave = () => misbehavior;
      await stage.poll();
      expect(await stage.job(job.id)).toMatchObject({
        state: 'AwaitingSigner',
        dispatch: { failedPolls: index + 1 },
      });
    }
    stage.platform.misbehave = () => undefined;
    await stage.poll();
    expect(await stage.job(job.id)).toMatchObject({ state: 'AwaitingSigner', dispatch: { failedPolls: 0 } });
    stage.platform.misbehave = () => failing[5][1];
    for (let poll = 0; poll < 5; poll++) await stage.poll();
    expect((await stage.job(job.id)).state).toBe('AwaitingSigner');
    await stage.poll();
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'signer.unreachable' });
    expect(stage.documentOf(job).status).toBe('Pending');
  });

  test('is silent is waited for no longer than Signer:RequestTimeout', async () => {
    vi.stubEnv('Signer__RequestTimeout', '1');
    const job = await stage.dispatched(next());
    stage.platform.misbehave = () => 'silence';
    await stage.poll();
    vi.stubEnv('Signer__RequestTimeout', undefined);
    expect(await stage.job(job.id)).toMatchObject({ dispatch: { failedPolls: 1 } });
    stage.documentOf(job).status = 'Canceled';
    stage.platform.misbehave = () => undefined;
    await stage.poll();
  });
});

test.each([
  ['breaks off', 'cut-short'],
  ['is HTML', { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } }],
  ['answers 500', { status: 500 }],
] as const)(
  'a download that %s is a failed poll, and the next one completes the job',
  async (_, misbehavior) => {
    const job = await stage.dispatched(next());
    await stage.conclude(job);
    stage.platform.misbehave = (call) => (call.endsWith('/content') ? misbehavior : undefined);
    await stage.poll();
    expect(await stage.job(job.id)).toMatchObject({
      state: 'AwaitingSigner',
      dispatch: { failedPolls: 1 },
      outputName: null,
    });
    stage.platform.misbehave = () => undefined;
    await stage.poll();
    expect((await stage.job(job.id)).state).toBe('Completed');
  },
);

describe('a concluded document', () => {
  test('without the signature of everybody is not released', async () => {
    const job = await stage.dispatched(next());
    await stage.conclude(job, [ANA.cpf]);
    await stage.poll();
    const failed = await stage.job(job.id);
    expect(failed).toMatchObject({ state: 'Failed', errorCode: 'job.verification-failed', outputName: null });
    expect(failed.errorMessage).toContain('***.633.618-**');
    expect(await stage.keysOf(`error/${job.id}`)).toHaveLength(1);
  });

  const OTHER_PDF = () => plainPdf('streams');
  test.each([
    ['Pades', async () => [stage.pdf, await OTHER_PDF()] as const],
    ['Cades', async () => [Buffer.from('the file'), Buffer.from('another file')] as const],
    ['Xades', async () => [Buffer.from('<a>1</a>'), Buffer.from('<a>2</a>')] as const],
  ] as const)(
    'of %s is released only if it holds the file that was handed over',
    async (format, contents) => {
      const [content, other] = await contents();
      await stage.profile('single', [ANA]);
      const kind = format.toLowerCase() as 'pades' | 'cades' | 'xades';
      for (const signedContent of [content, other]) {
        const job = await stage.dispatched(next(), { content, format, profile: 'single' });
        const document = stage.documentOf(job);
        document.signed = await stage.signAs(signedContent, kind, [ANA.cpf]);
        document.status = 'Concluded';
        await stage.poll();
        const { state, errorCode, errorMessage } = await stage.job(job.id);
        const isSame = signedContent === content;
        expect([state, errorCode]).toEqual(
          isSame ? ['Completed', null] : ['Failed', 'job.verification-failed'],
        );
        if (!isSame) expect(errorMessage).toContain('another file than the one that was handed over');
      }
    },
  );

  test('is released unseen where the profile says so', async () => {
    await stage.profile('unseen', [ANA, BRUNO], { verify: false });
    const job = await stage.dispatched(next(), { profile: 'unseen' });
    await stage.conclude(job, [ANA.cpf]);
    await stage.poll();
    expect((await stage.job(job.id)).state).toBe('Completed');
  });

  test('of the format Cades holds the file, as DER or as PEM', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await stage.profile('one', [ANA]);
    await stage.profile('one-pem', [ANA], { format: 'Cades', saveAsPem: true });
    for (const [profile, outputName, begins] of [
      ['one', 'data.bin.p7m', '\x30'],
      ['one-pem', 'data.bin.pem', '-----BEGIN'],
    ] as const) {
      const job = await stage.dispatched('data.bin', { content: Buffer.from('data'), profile });
      const document = stage.documentOf(job);
      expect(document.request).toMatchObject({ forceCadesSignature: true });
      document.signed = await stage.signAs(document.original, 'cades', [ANA.cpf]);
      document.status = 'Concluded';
      await stage.poll();
      expect(await stage.job(job.id)).toMatchObject({ state: 'Completed', outputName });
      const output = await files('batch').get(`output/${outputName}`);
      expect(output && (await buffer(output.stream)).toString('latin1').startsWith(begins)).toBe(true);
    }
  });

  test('of people whom the profile no longer names is judged by those who were asked', async () => {
    await stage.profile('changing', [ANA]);
    const job = await stage.dispatched(next(), { profile: 'changing' });
    await stage.profile('changing', [BRUNO]);
    await stage.conclude(job, [ANA.cpf]);
    await stage.poll();
    expect((await stage.job(job.id)).state).toBe('Completed');
  });
});

test('a message that comes twice leads to one pass', async () => {
  const job = await stage.dispatched(next());
  const dueAtMs = Date.now();
  const look = () => pollSigners({ ...stage.worker, hasTime: () => true, dueAtMs });
  await look();
  stage.platform.calls.length = 0;
  await look();
  expect(stage.platform.calls).toEqual([]);
  await stage.conclude(job);
  await stage.poll();
});

// A pass stops for want of time, and the next one goes on from there.
test('the jobs that were polled least recently come first', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push(stage.documentOf(await stage.dispatched(next())).id);
  const polled = async (count: number): Promise<string[]> => {
    stage.platform.calls.length = 0;
    let begun = 0;
    await stage.poll(0, () => begun++ < count);
    return stage.platform.calls.map((call) => call.split('/').at(-1) ?? '');
  };
  const seen = [...(await polled(5)), ...(await polled(5)), ...(await polled(5))];
  expect(new Set(seen.slice(0, 12)).size).toBe(12);
  expect(new Set(seen.slice(12))).toEqual(new Set(seen.slice(0, 3)));
  const all = await polled(1_000);
  expect(new Set(all)).toEqual(new Set(ids));
});
