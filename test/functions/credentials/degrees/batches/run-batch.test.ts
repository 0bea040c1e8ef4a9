import { createHash } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import {
  batches,
  degreeIdOf,
  requireBatch,
} from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { listErrors } from '../../../../../functions/credentials/degrees/batches/domain/read-batch.ts';
import { fileKey, items } from '../../../../../functions/credentials/items/domain/item.ts';
import { itemList } from '../../../../../functions/credentials/items/domain/item-lists.ts';
import { files } from '../../../../../shared/files/files.ts';
import { sqs } from '../../../../../shared/queue/client.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { dueKey } from '../../../../../shared/store/due/message.ts';
import { keyAttributes } from '../../../../../shared/store/item.ts';
import { countCalls } from '../../../../measure/calls.ts';
import { ownInstitute, ownOrganization } from '../../items/own-tenant.ts';
import { degreeOf, errorsOf, linesOf, listedDegrees, ownStage, progressOf, run, sendBatch } from './stage.ts';

/** When the sweeper sends the hand-over of an item. */
async function dueAtOf(item: string): Promise<number> {
  const Key = keyAttributes(dueKey(`handOver:${item}`));
  const { Item } = await dynamo().send(new GetItemCommand({ TableName: tableName('credentials'), Key }));
  return Number(Item?.dueAt?.N);
}

const stage = await ownStage();

describe('a batch', () => {
  test('creates a degree of each line, as POST /api/degrees does', async () => {
    const own = await ownStage();
    const batch = await sendBatch(own, [own.degree(1), own.degree(2, { studentSocialName: 'Ana' })]);
    expect(await run(batch)).toBe('finished');
    const degree = await degreeOf(batch, 2);
    expect(degree).toMatchObject({
      state: 'Created',
      organizationId: own.organizationId,
      instituteId: own.instituteId,
      lastEvents: { Degree: 'created' },
      data: {
        studentName: 'Aluno 2',
        studentSocialName: 'Ana',
        version: '1.05',
        verificationCode: expect.stringMatching(/^1234\.1234\.[0-9a-f]{16}$/),
      },
    });
    expect(await listedDegrees(own)).toEqual({
      ids: [degreeIdOf(batch.id, 1), degreeIdOf(batch.id, 2)].toSorted(),
      total: 2,
    });
    for (const file of degree?.files ?? []) {
      const key = fileKey({ kind: 'degree', id: degreeIdOf(batch.id, 2) }, file);
      const bytes = await files('credentials').read(key, 10_000);
      expect(
        createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
      ).toBe(file.sha256);
      expect(bytes?.toString()).toContain('<Nome>Aluno 2</Nome>');
    }
    expect(degree?.files.map(({ name }) => name)).toEqual(['diploma', 'academic-documentation']);
  });

  test('gives each line an id that is a UUID of its own', () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => degreeIdOf('a', n + 1));
    expect(new Set([...ids, degreeIdOf('b', 1)]).size).toBe(1_001);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(degreeIdOf('a', 1)).toBe('2b2c40a6-706d-8e5f-b20d-553628313833');
  });

  test('creates the transcript that a line asks for, and the degree alone where that fails', async () => {
    const content = Buffer.from('<Other/>').toString('base64');
    const batch = await sendBatch(stage, [
      stage.degree(1, { academicTranscript: {} }),
      stage.degree(2, { academicTranscript: { files: [{ name: 'transcript', content }] } }),
    ]);
    await run(batch);
    const [one, two] = [await degreeOf(batch, 1), await degreeOf(batch, 2)];
    expect(await items.get({ kind: 'transcript', id: one?.data.transcriptId ?? '' })).toMatchObject({
      state: 'Created',
    });
    expect(two?.data).toMatchObject({
      transcriptId: null,
      academicTranscriptCreationError: expect.stringContaining('has the root Other'),
    });
  });

  test('names institutes of the organizations that the key had when it was sent, and of no other', async () => {
    const own = await ownStage();
    const second = await ownOrganization();
    const foreign = (await ownInstitute(await ownOrganization())).id;
    const caller = { ...own.caller, registered: { organizations: [own.organizationId, second] } };
    const other = (await ownInstitute(second)).id;
    const lines = [
      own.degree(1, { instituteId: other }),
      own.degree(2, { instituteId: foreign }),
      own.degree(3, { registeringInstituteId: other }),
      own.degree(4, { registeringInstituteId: foreign }),
    ];
    const batch = await sendBatch({ ...own, caller }, lines);
    await run(batch);
    expect((await errorsOf(own, batch)).map(({ line, code }) => [line, code])).toEqual([
      [2, 'InstituteNotFound'],
      [4, 'InstituteNotFound'],
    ]);
    expect((await degreeOf(batch, 1))?.organizationId).toBe(second);
    expect((await degreeOf(batch, 3))?.data.registeringInstituteId).toBe(other);
  });

  test('judges the kind of the organization and the signers of the institute as they are', async () => {
    const own = await ownStage();
    const issuing = await ownOrganization(['Emissora']);
    const caller = { ...own.caller, registered: { organizations: [own.organizationId, issuing] } };
    const batch = await sendBatch({ ...own, caller }, [
      own.degree(1, { instituteId: (await ownInstitute(issuing)).id }),
      own.degree(2, { instituteId: (await ownInstitute(own.organizationId, { signers: [] })).id }),
    ]);
    await run(batch);
    expect((await errorsOf(own, batch)).map(({ code }) => code)).toEqual([
      'OrganizationKindMismatch',
      'SignersRequired',
    ]);
  });

  test('removes its file at its end, which holds names and CPFs', async () => {
    const batch = await sendBatch(stage, [stage.degree(1)]);
    const { file } = (await batches.get(batch.id)) ?? { file: '' };
    expect(await files('credentials').head(file)).toBeDefined();
    await run(batch);
    expect(await files('credentials').head(file)).toBeUndefined();
    expect(await run(batch)).toBe('done');
  });

  test('that does not exist is nothing to do', async () => {
    expect(await run({ id: 'none' })).toBe('done');
  });
});

describe('a batch of many lines', () => {
  test('hands its degrees to their signers at a limited rate, and those of its first lines at once', async () => {
    const own = await ownStage();
    vi.stubEnv('Batches__HandOversPerSecond', '1');
    const batch = await sendBatch(own, [
      own.degree(1),
      own.degree(2, { academicTranscript: {} }),
      own.degree(3),
    ]);
    const nowMs = batch.createdAtMs + 1_500;
    const queued: string[] = [];
    const send = vi.spyOn(sqs(), 'send').mockImplementation(async (command: object) => {
      const { input } = command as { input: { Entries?: { MessageBody: string }[] } };
      queued.push(...(input.Entries ?? []).map(({ MessageBody }) => MessageBody));
      return { QueueUrl: 'sinete://queues/tasks' };
    });
    await run(batch, { now: () => nowMs });
    send.mockRestore();
    vi.unstubAllEnvs();
    const [first, second, third] = [1, 2, 3].map((line) => degreeIdOf(batch.id, line));
    expect(queued.map((body) => JSON.parse(body))).toEqual([
      { task: 'handOver', kind: 'degree', id: first, waitSeconds: 0 },
    ]);
    const transcriptId = (await degreeOf(batch, 2))?.data.transcriptId;
    const later = [`degree:${second}`, `transcript:${transcriptId}`, `degree:${third}`];
    expect(await Promise.all(later.map(dueAtOf))).toEqual(
      [2_000, 2_000, 3_000].map((ms) => batch.createdAtMs + ms),
    );
  });

  test('has all of its errors in the order of the lines, page by page', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => (n % 10 === 0 ? stage.degree(n) : `bad ${n}`));
    const batch = await sendBatch(stage, lines);
    expect(await run(batch)).toBe('finished');
    const bad = lines.flatMap((line, n) => (typeof line === 'string' ? [n + 1] : []));
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => listErrors(stage.caller, batch.id, { page, pageSize: 80 })),
    );
    expect(pages.flatMap((page) => page.items.map(({ line }) => line))).toEqual(bad);
    expect(pages.map((page) => [page.items.length, page.totalCount])).toEqual([
      [80, 180],
      [80, 180],
      [20, 180],
      [0, 180],
    ]);
    expect(await progressOf(stage, batch)).toEqual({
      state: 'Finished',
      lines: 200,
      line: 200,
      created: 20,
      failed: 180,
    });
  });

  test('goes on in a further message when its time is over, at the line after the checkpoint', async () => {
    const own = await ownStage();
    const batch = await sendBatch(
      own,
      Array.from({ length: 30 }, (_, n) => own.degree(n)),
    );
    // The clock strikes the end of the run after some lines were taken.
    let reads = 0;
    const later = () => Date.now() + (++reads > 40 ? 3_600_000 : 0);
    expect(await run(batch, { now: later })).toBe('more');
    const { state, line } = (await batches.get(batch.id)) ?? { line: 0 };
    expect([state, line > 0 && line < 30]).toEqual(['Running', true]);
    expect(await run(batch)).toBe('finished');
    expect((await listedDegrees(own)).total).toBe(30);
  });

  test('costs three calls a line: two files and a transaction', async () => {
    const own = await ownStage();
    const count = 50;
    const batch = await sendBatch(
      own,
      Array.from({ length: count }, (_, n) => own.degree(n)),
    );
    await run(await sendBatch(own, [own.degree(0)])); // addresses of queues are known from here on
    vi.stubEnv('Batches__HandOversPerSecond', '1000');
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const { byCommand } = await countCalls(() => run(batch));
    vi.mocked(Math.random).mockRestore();
    vi.unstubAllEnvs();
    expect(byCommand).toEqual({
      PutObject: 2 * count,
      TransactWriteItems: count + 1, // and the checkpoint
      SendMessageBatch: count / 10,
      GetItem: expect.any(Number), // the batch and the organization, shared by many lines
      // Whether a killed worker has created some of them; the institute as it is now, once for lines that are made at once.
      BatchGetItem: expect.any(Number),
      GetObject: 1,
      DeleteObject: 1,
    });
    expect(byCommand.GetItem).toBeLessThan(count / 4);
    expect(byCommand.BatchGetItem).toBeLessThan(count / 2);
  });
});

//   worker 1  |--reads 0--lines 1 to 40--|checkpoint 40|
//   worker 2  |--reads 0--lines 1 to 40-----|checkpoint: refused, stops
test('two workers on one batch create each line once and count it once', async () => {
  const own = await ownStage();
  const lines = Array.from({ length: 40 }, (_, n) => (n % 10 === 9 ? 'bad' : own.degree(n)));
  const batch = await sendBatch(own, lines);
  const outcomes = await Promise.all([run(batch), run(batch), run(batch)]);
  expect(outcomes.toSorted()).toEqual(['finished', 'overtaken', 'overtaken']);
  expect(await requireBatch(own.caller, batch.id)).toMatchObject({ created: 36, failed: 4 });
  expect((await errorsOf(own, batch)).map(({ line }) => line)).toEqual([10, 20, 30, 40]);
  const { ids, total } = await listedDegrees(own);
  expect([ids.length, total]).toEqual([36, 36]);
  // The file that each degree names is the one that its worker wrote.
  for (const degree of await items.getMany(ids.map((id) => ({ kind: 'degree' as const, id }))))
    for (const file of degree.files) {
      const bytes = await files('credentials').read(fileKey(degree, file), 10_000);
      expect(
        createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
      ).toBe(file.sha256);
    }
});

test('every degree of a batch is on the list of its organization', async () => {
  const own = await ownStage();
  const batch = await sendBatch(
    own,
    Array.from({ length: 25 }, (_, n) => own.degree(n)),
  );
  await run(batch);
  const { ids } = await itemList('degree', own.organizationId, 'Created').page({ page: 1, pageSize: 50 });
  const lines = await linesOf(own, batch);
  expect(ids.toSorted()).toEqual(lines.map(({ degreeId }) => degreeId).toSorted());
});
