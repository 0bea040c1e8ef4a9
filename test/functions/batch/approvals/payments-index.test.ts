import { describe, expect, test } from 'vitest';
import { readPaymentsPage } from '../../../../functions/batch/approvals/domain/payments-page.ts';
import { requireVisibleJob } from '../../../../functions/batch/approvals/domain/visible-job.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { settleFilesOf } from '../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { type Job, jobs, paymentsKey, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { watchingS3 } from '../folders/arrival-stage.ts';
import { cleanUpIn, keep } from '../installation/retention/world.ts';
import { fileOf, payment, remittance } from '../jobs/cnab240/remittance.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { ANA, approvalStage, BRUNO } from './approval-stage.ts';

const stage = await forFile(approvalStage());

const store = () => files('batch');
const PAYEES = Array.from({ length: 205 }, (_, n) => payment('A', { value: n + 1 }, { 44: `PAYEE-${n};` }));
const parked = () => stage.parked(undefined, fileOf(remittance(PAYEES)));
const pageOf = async ({ id }: Job, request = { search: '', page: 1 }) =>
  readPaymentsPage(await requireVisibleJob(id, ANA.email), request);
const keysOf = async ({ id }: Job) => (await store().list(`processing/${id}/`)).files.map(({ key }) => key);

describe('a page of payments', () => {
  test('is read from an index that was made at parking, and not from the file', async () => {
    const job = await parked();
    const reads: string[] = [];
    const page = await watchingS3({ before: ({ command, key }) => reads.push(`${command} ${key}`) }, () =>
      pageOf(job, { search: '', page: 2 }),
    );
    expect(page).toMatchObject({ outcome: 'listed', page: 2, pageCount: 3, total: { paymentCount: 205 } });
    expect(reads.toSorted()).toEqual([
      `GetObject ${paymentsKey(job)}`,
      `GetObject ${paymentsKey(job)}`,
      `HeadObject ${stagedKey(job)}`,
    ]);
  });

  test.each([
    { search: '', page: 1 },
    { search: '', page: 3 },
    { search: 'payee-1', page: 2 },
    { search: 'R$ 0,17', page: 1 },
    { search: 'nobody', page: 9 },
  ])(
    'is the same as the one from the file, which stands in for a job without an index: %o',
    async (request) => {
      const job = await parked();
      const fromIndex = await pageOf(job, request);
      const { paymentsIndex, ...approval } = job.approval ?? ({} as NonNullable<Job['approval']>);
      expect(paymentsIndex).toBeDefined();
      await jobs.change(await jobs.get(job.id).then((found) => found ?? Promise.reject(found)), { approval });
      expect(await pageOf(job, request)).toEqual(fromIndex);
    },
  );

  test('is read from the file where the index is gone', async () => {
    const job = await parked();
    const before = await pageOf(job);
    await store().remove(paymentsKey(job));
    expect(await pageOf(job)).toEqual(before);
  });

  test('shows nothing of an index that somebody has rewritten', async () => {
    const other = await stage.parked(
      undefined,
      fileOf(remittance(PAYEES.map((line) => line.replace('PAYEE', 'INTRU')))),
    );
    const job = await parked();
    const [own, foreign] = await Promise.all(
      [job, other].map(async (each) => (await store().read(paymentsKey(each), 1_000_000))?.toString() ?? ''),
    );
    const { headBytes = 0 } = job.approval?.paymentsIndex ?? {};
    for (const forged of [foreign, own?.replace('PAYEE-3;', 'INTRU-3;'), own?.slice(0, headBytes)]) {
      await store().put(paymentsKey(job), Buffer.from(forged ?? ''), { contentType: 'text/plain' });
      for (const search of ['', 'intru'])
        expect(await pageOf(job, { search, page: 1 })).toEqual({ outcome: 'changed' });
    }
  });
});

test.each([
  [
    'was signed',
    async (job: Job) => {
      for (const { email } of [ANA, BRUNO]) await stage.decide(job.id, { email, decision: 'approved' });
      await stage.run();
    },
  ],
  ['was rejected', (job: Job) => stage.decide(job.id, { email: ANA.email, decision: 'rejected' })],
  ['was canceled', (job: Job) => cancelJob(OPERATOR, { id: job.id }, Date.now())],
])(
  'the index of a job that %s stays as it was decided on',
  async (_, end: (job: Job) => Promise<unknown>) => {
    const job = await parked();
    const before = await pageOf(job);
    await end(job);
    await settleFilesOf(job.id, Date.now());
    expect(await keysOf(job)).toEqual([paymentsKey(job)]);
    expect(await pageOf(job)).toEqual(before);
    await store().put(paymentsKey(job), Buffer.from('[]\n'), { contentType: 'text/plain' });
    expect(await pageOf(job)).toEqual({ outcome: 'changed' });
    await store().remove(paymentsKey(job));
    expect(await pageOf(job)).toEqual({ outcome: 'gone' });
  },
);

test('the index goes with its job, a day after retention has deleted it', async () => {
  const job = await parked();
  await stage.decide(job.id, { email: ANA.email, decision: 'rejected' });
  await settleFilesOf(job.id, Date.now());
  keep({ Job: 90 });
  await cleanUpIn(89);
  expect(await keysOf(job)).toEqual([paymentsKey(job)]);
  await cleanUpIn(91);
  await cleanUpIn(92);
  expect(await keysOf(job)).toEqual([]);
});
