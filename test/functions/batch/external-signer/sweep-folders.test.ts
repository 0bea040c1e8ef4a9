import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { passRecords } from '../../../../functions/batch/external-signer/domain/pass.ts';
import { sweepFolders } from '../../../../functions/batch/external-signer/domain/sweep/sweep-folders.ts';
import { checkDocument } from '../../../../functions/batch/external-signer/domain/sweep/take-document.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { clearJobs } from '../../../../functions/batch/jobs/domain/clear-jobs.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { eventList } from '../../../../functions/batch/operations/domain/events.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { setEnabled } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { degradedProfiles } from '../../../../functions/batch/profiles/domain/degraded.ts';
import { describeProfile } from '../../../../functions/batch/profiles/domain/render-profile.ts';
import { forFile } from '../../../runner/for-file.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { cleanUpIn, keep } from '../installation/retention/world.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { type RemoteDocument, signerAction } from './folder-platform.ts';
import { folderStage, HOLDER, OTHER } from './folder-stage.ts';

const stage = await forFile(folderStage());
afterEach(() => {
  stage.platform.documents.clear();
  stage.platform.interfere = () => undefined;
  stage.platform.pageSize = 100;
});

const check = (documentId: string, folderId: string = stage.folderId) =>
  checkDocument(folderId, documentId, Date.now());

const counted = async (series: RegExp): Promise<number> => {
  const counts = await metricsLedger.read((readNode) => readNode(''));
  return [...counts].reduce((sum, [field, count]) => sum + (series.test(field) ? count : 0), 0);
};

const sweepEvents = async (): Promise<number> =>
  (await eventList('SignerSweepFailed').page({ page: 1, pageSize: 10 })).total;

describe('a document of a bound folder', () => {
  test('that waits for the holder becomes one job without a path', async () => {
    const before = await counted(/^bulk_jobs_enqueued_total/);
    const enqueued = await counted(/^bulk_signer_folder_jobs_enqueued_total/);
    const document = stage.put('contract.pdf');
    const job = await stage.take(document);
    expect(job).toMatchObject({
      fileName: 'contract.pdf',
      originalPath: null,
      source: 'SignerFolder',
      format: 'Pades',
      state: 'Queued',
      profileName: 'folder',
      folderDocument: {
        folderId: stage.folderId,
        documentId: document.id,
        flowActionId: document.flowActions[0]?.id,
        keyReachedAtMs: null,
      },
    });
    expect(await counted(/^bulk_jobs_enqueued_total/)).toBe(before);
    expect(await counted(/^bulk_signer_folder_jobs_enqueued_total/)).toBe(enqueued + 1);
    await stage.sweep();
    expect(await stage.jobsOf(document)).toHaveLength(1);
    await stage.run();
    expect(await stage.job(job.id)).toMatchObject({ state: 'Completed', outputName: null });
    expect(document.signatures).toHaveLength(1);
  });

  test('becomes one job however many sweeps and notifications find it at once', async () => {
    const documents = Array.from({ length: 5 }, (_, i) => stage.put(`many-${i}.xml`));
    const checks = documents.flatMap(({ id }) => [check(id), check(id), check(id)]);
    await Promise.all([stage.sweep(), stage.sweep(), ...checks]);
    for (const document of documents) {
      const found = await stage.jobsOf(document);
      expect(found.map(({ format }) => format)).toEqual(['Cades']);
    }
    await stage.run();
    for (const { signatures } of documents) expect(signatures).toHaveLength(1);
  });

  test('is found on whatever page of the folder', async () => {
    stage.platform.pageSize = 2;
    const documents = Array.from({ length: 5 }, (_, i) => stage.put(`page-${i}.pdf`));
    await stage.sweep();
    for (const document of documents) expect(await stage.jobsOf(document)).toHaveLength(1);
    await stage.run();
  });

  test('waits for its step, and for the other people of a rule', async () => {
    const people = [{ identifier: HOLDER }, { identifier: OTHER }];
    const rule = { type: 'SignRule', user: null, signRuleUsers: people };
    const [other, later] = [signerAction(OTHER), signerAction(HOLDER, { step: 2, status: 'Created' })];
    const stepped = stage.put('stepped.pdf', other, later);
    const signed = stage.put(
      'signed.pdf',
      signerAction(HOLDER, { ...rule, completedBy: [{ identifier: HOLDER }] }),
    );
    const ofRule = stage.put('rule.pdf', signerAction(HOLDER, rule));
    await stage.sweep();
    expect(await stage.jobsOf(stepped)).toEqual([]);
    expect(await stage.jobsOf(signed)).toEqual([]);
    expect(await stage.jobsOf(ofRule)).toHaveLength(1);
    other.status = 'Completed';
    later.status = 'Pending';
    expect(await stage.take(stepped)).toMatchObject({ folderDocument: { flowActionId: later.id } });
    await stage.run();
  });

  test('without an action for the holder becomes one failed job, whose retry says so', async () => {
    const document = stage.put('others.pdf', signerAction(OTHER));
    const approved = stage.put(
      'approved.pdf',
      signerAction(HOLDER, { type: 'Approver' }),
      signerAction(OTHER),
    );
    const job = await stage.take(document);
    await stage.sweep();
    await check(document.id);
    expect(await stage.jobsOf(document)).toHaveLength(1);
    expect(await stage.jobsOf(approved)).toHaveLength(1);
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'signer-folder.no-holder-action' });
    await expect(retryJob(job.id, Date.now())).rejects.toMatchObject({
      status: 409,
      code: 'signer-folder.no-holder-action',
    });
  });

  test('is left alone in another folder, when it is gone, and when it ended', async () => {
    const elsewhere = stage.platform.put(randomUUID(), 'elsewhere.pdf', signerAction(HOLDER));
    const ended = stage.put('ended.pdf');
    ended.status = 'Canceled';
    await check(elsewhere.id);
    await check(elsewhere.id, elsewhere.folder?.id);
    await check(randomUUID());
    await check(ended.id);
    for (const document of [elsewhere, ended]) expect(await stage.jobsOf(document)).toEqual([]);
  });

  test('of a folder of two profiles is for the one whose holder it names', async () => {
    const folderId = randomUUID();
    await stage.bind('first', folderId);
    await stage.bind('second', folderId, OTHER);
    const document = stage.platform.put(folderId, 'second.pdf', signerAction(OTHER));
    expect(await stage.take(document)).toMatchObject({ state: 'Queued', profileName: 'second' });
    await stage.run();
    expect(document.signatures).toHaveLength(1);
  });

  const deleteAll = () => clearJobs(OPERATOR, { deadlineAtMs: Date.now() + 60_000 }, () => Date.now());

  /** Looks for the document in both ways, and runs what was found. */
  const isLeftAlone = async (document: RemoteDocument): Promise<void> => {
    expect(await stage.jobsOf(document)).toEqual([]);
    await stage.sweep();
    await check(document.id);
    await stage.run();
    expect(await stage.jobsOf(document)).toEqual([]);
    expect(document.signatures).toEqual([]);
  };

  test('is not taken again when its failed job was deleted, also after a retry', async () => {
    const document = stage.put('deleted.pdf');
    const first = await stage.take(document);
    stage.platform.interfere = (call) => (call === 'start' ? { status: 500 } : undefined);
    await stage.run();
    const second = await retryJob(first.id, Date.now());
    await deleteAll();
    expect((await stage.jobsOf(document)).map(({ id }) => id)).toEqual([second.id]);
    await stage.run();
    await deleteAll();
    stage.platform.interfere = () => undefined;
    await isLeftAlone(document);
  });

  test('is not taken again when its canceled job was deleted', async () => {
    const document = stage.put('canceled.pdf');
    const { id } = await stage.take(document);
    await cancelJob(OPERATOR, { id }, Date.now());
    await deleteAll();
    await isLeftAlone(document);
  });

  test('is claimed for a year once it is signed, and for good where it is not', async () => {
    const signed = await stage.take(stage.put('signed.pdf'));
    await stage.run();
    const canceled = await stage.take(stage.put('never.pdf'));
    await cancelJob(OPERATOR, { id: canceled.id }, Date.now());
    const claims = (await everyItem('batch')).filter(({ sk }) => sk?.S === 'ACTION');
    const ttlOf = ({ id }: Job) => claims.find(({ jobId }) => jobId?.S === id)?.ttl?.N;
    const inAYear = Date.now() / 1_000 + 365 * 86_400;
    expect(Math.abs(Number(ttlOf(signed)) - inAYear)).toBeLessThan(600);
    expect(claims.some(({ jobId }) => jobId?.S === canceled.id)).toBe(true);
    expect(ttlOf(canceled)).toBeUndefined();
  });

  test('is not taken again when retention deleted its failed job', async () => {
    const document = stage.put('old.pdf');
    stage.platform.interfere = (call) => (call === 'start' ? { status: 500 } : undefined);
    await stage.take(document);
    await stage.run();
    stage.platform.interfere = () => undefined;
    keep({ Job: 1 });
    await cleanUpIn(2);
    keep({});
    await isLeftAlone(document);
  });
});

describe('a sweep', () => {
  test('takes nothing for a disabled profile', async () => {
    const folderId = randomUUID();
    await stage.bind('off', folderId);
    await setEnabled('test', 'off', false, Date.now());
    const document = stage.platform.put(folderId, 'off.pdf', signerAction(HOLDER));
    await stage.sweep();
    await check(document.id, folderId);
    expect(await stage.jobsOf(document)).toEqual([]);
  });

  test('degrades the profiles of a folder that is gone, until it is back', async () => {
    stage.platform.folders.delete(stage.folderId);
    await stage.sweep();
    expect(await describeProfile('folder')).toMatchObject({
      degraded: true,
      degradedReason: expect.stringContaining(stage.folderId),
    });
    expect((await degradedProfiles()).map(({ name }) => name)).toContain('folder');
    expect((await passRecords.get('sweep'))?.failures).toBe(0);
    stage.platform.folders.add(stage.folderId);
    await stage.sweep();
    expect(await describeProfile('folder')).toMatchObject({ degraded: false });
  });

  test('goes on with the other folders when one fails, and tells it once', async () => {
    const folderId = randomUUID();
    await stage.bind('failing', folderId);
    const [events, errors] = [await sweepEvents(), await counted(/sweep_errors_total.*folder/)];
    stage.platform.interfere = (call, id) => (call === 'folder' && id === folderId ? 'hang-up' : undefined);
    const document = stage.put('beside.pdf');
    await stage.sweep();
    await stage.sweep();
    expect(await stage.jobsOf(document)).toHaveLength(1);
    expect(await passRecords.get('sweep')).toMatchObject({ failures: 2 });
    expect(await passRecords.get('sweep')).not.toHaveProperty('leaseEndsAtMs');
    expect(await sweepEvents()).toBe(events + 1);
    expect(await counted(/sweep_errors_total.*folder/)).toBe(errors + 2);
    stage.platform.interfere = () => undefined;
    await stage.sweep();
    expect(await passRecords.get('sweep')).toMatchObject({ failures: 0, lastError: null });
    await stage.run();
  });

  test('begins where the last one ran out of time', async () => {
    const [one, two] = [randomUUID(), randomUUID()].toSorted();
    await stage.bind('one', one ?? '');
    await stage.bind('two', two ?? '');
    let looks = 0;
    const { logger, now } = stage.worker;
    await sweepFolders({ logger, now, hasTime: () => looks++ === 0 });
    const cursor = (await passRecords.get('sweep'))?.cursor;
    expect(cursor).not.toBeNull();
    const swept: string[] = [];
    stage.platform.interfere = (call, id) => {
      if (call === 'folder') swept.push(id);
      return undefined;
    };
    await stage.sweep();
    expect(swept[0]).toBe(cursor);
    expect((await passRecords.get('sweep'))?.cursor).toBeNull();
  });
});
