import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { passRecords } from '../../../../functions/batch/external-signer/domain/pass.ts';
import {
  listChecks,
  queueChecks,
  removeChecks,
} from '../../../../functions/batch/external-signer/domain/sweep/checks.ts';
import { sweepFolders } from '../../../../functions/batch/external-signer/domain/sweep/sweep-folders.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { forFile } from '../../../runner/for-file.ts';
import type { Call, Interference, RemoteDocument } from './folder-platform.ts';
import { folderStage } from './folder-stage.ts';

const stage = await forFile(folderStage());
afterEach(async () => {
  vi.restoreAllMocks();
  Object.assign(stage.platform, { interfere: () => undefined, pageSize: 100, listsFlows: true, cursors: [] });
  stage.platform.documents.clear();
  await removeChecks(await listChecks());
  // The end of a list leaves no place.
  await stage.sweep();
  stage.platform.cursors = [];
  stage.platform.calls.length = 0;
});

const many = (count: number) => Array.from({ length: count }, (_, n) => stage.put(`many-${n}.pdf`));

const takenOf = async (documents: readonly RemoteDocument[]): Promise<number[]> =>
  Promise.all(documents.map(async (document) => (await stage.jobsOf(document)).length));

/** A sweep in which a call takes so long; the clock stands still otherwise. */
async function sweepSlowly(
  slow: Partial<Record<Call, number>>,
  interfere: (call: Call, id: string) => Interference = () => undefined,
): Promise<void> {
  let nowMs = Date.now();
  stage.platform.interfere = (call, id) => {
    nowMs += slow[call] ?? 0;
    return interfere(call, id);
  };
  await stage.sweep(() => nowMs);
}

const sweepErrors = async (op: string): Promise<number> => {
  const counts = await metricsLedger.read((readNode) => readNode(''));
  const series = new RegExp(`^bulk_signer_folder_sweep_errors_total\\W.*${op}`);
  return [...counts].reduce((sum, [field, count]) => sum + (series.test(field) ? count : 0), 0);
};

describe('a folder that does not fit into the time of a sweep', () => {
  test('is gone on with at the page where the last sweep stopped, and then from its beginning', async () => {
    stage.platform.pageSize = 2;
    const documents = many(7);
    await sweepSlowly({ list: 30_000 });
    expect(await takenOf(documents)).toEqual([1, 1, 1, 1, 0, 0, 0]);
    await sweepSlowly({ list: 30_000 });
    expect(await takenOf(documents)).toEqual([1, 1, 1, 1, 1, 1, 0]);
    await sweepSlowly({ list: 20_000 });
    expect(await takenOf(documents)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    await sweepSlowly({ list: 30_000 });
    expect(stage.platform.cursors).toEqual([null, '2', '2', '4', '4', '6', null, '2']);
  });

  test('keeps the checks of its documents, which are made at once', async () => {
    stage.platform.pageSize = 2;
    many(3);
    const { folderId } = stage;
    const check = { documentId: randomUUID(), folderId, atMs: Date.now() - 1_000 };
    await queueChecks([check], Number.POSITIVE_INFINITY);
    const sent = vi.spyOn(SQSClient.prototype, 'send');
    const wakes = () =>
      sent.mock.calls.filter(([{ input }]) => JSON.stringify(input).includes('{\\"look\\":\\"checks\\"}'))
        .length;
    await sweepSlowly({ list: 30_000 });
    expect(await listChecks()).toMatchObject([check]);
    expect(wakes()).toBe(1);
    // The sweep that comes to the end has seen a part only; the one after it has seen all.
    await sweepSlowly({ list: 10_000 });
    expect(await listChecks()).toHaveLength(1);
    expect(wakes()).toBe(2);
    await sweepSlowly({ list: 10_000 });
    expect(await listChecks()).toEqual([]);
    expect(wakes()).toBe(2);
  });

  test('begins anew when the platform does not know the place any more', async () => {
    stage.platform.pageSize = 2;
    const documents = many(5);
    await sweepSlowly({ list: 30_000 });
    await sweepSlowly({}, (call) => (call === 'list' ? { status: 400 } : undefined));
    await sweepSlowly({});
    expect(await takenOf(documents)).toEqual([1, 1, 1, 1, 1]);
    expect(stage.platform.cursors).toEqual([null, '2', null, '2', '4']);
  });

  test('keeps its place when the platform is busy', async () => {
    stage.platform.pageSize = 2;
    const documents = many(5);
    const busy: Interference = { status: 429, headers: { 'retry-after': '600' } };
    await sweepSlowly({}, (call) =>
      call === 'list' && stage.platform.cursors.length === 2 ? busy : undefined,
    );
    expect(await passRecords.get('sweep')).toMatchObject({ failures: 1 });
    await sweepSlowly({});
    expect(await takenOf(documents)).toEqual([1, 1, 1, 1, 1]);
    expect(stage.platform.cursors).toEqual([null, '2', '2', '4']);
  });
});

describe('a list that does not show the flow', () => {
  test('has each document read, and one that is gone by then left out', async () => {
    stage.platform.listsFlows = false;
    const documents = many(23);
    const gone = documents[4]?.id;
    await sweepSlowly({}, (call, id) => (call === 'read' && id === gone ? { status: 404 } : undefined));
    expect(await takenOf(documents)).toEqual(documents.map(({ id }) => (id === gone ? 0 : 1)));
    expect(stage.platform.calls.filter((call) => call === 'read')).toHaveLength(23);
  });

  test('has the documents taken that were read before the time ended, and more at each sweep', async () => {
    Object.assign(stage.platform, { listsFlows: false, pageSize: 25 });
    const documents = many(60);
    const sum = async () => (await takenOf(documents)).reduce((a, b) => a + b, 0);
    await sweepSlowly({ read: 2_000 });
    expect(await sum()).toBe(35);
    await sweepSlowly({ read: 1_200 });
    expect(await sum()).toBe(60);
  });

  test('has the others taken when one cannot be read', async () => {
    stage.platform.listsFlows = false;
    const documents = many(5);
    const broken = documents[4]?.id;
    const errors = await sweepErrors('folder');
    await sweepSlowly({}, (call, id) => (call === 'read' && id === broken ? { status: 500 } : undefined));
    expect(await takenOf(documents)).toEqual([1, 1, 1, 1, 0]);
    expect(await sweepErrors('folder')).toBe(errors + 1);
  });
});

test('a sweep that fails as a whole is counted, recorded and told to its caller', async () => {
  const [passes, folders] = [await sweepErrors('pass'), await sweepErrors('folder')];
  const hasTime = () => {
    throw new Error('The clock is broken.');
  };
  const { logger, now } = stage.worker;
  await expect(sweepFolders({ logger, now, hasTime })).rejects.toThrow('The clock is broken.');
  expect(await sweepErrors('pass')).toBe(passes + 1);
  expect(await sweepErrors('folder')).toBe(folders);
  expect(await passRecords.get('sweep')).toMatchObject({
    failures: 1,
    lastError: 'The sweep failed: The clock is broken.',
  });
  expect(await passRecords.get('sweep')).not.toHaveProperty('leaseEndsAtMs');
});
