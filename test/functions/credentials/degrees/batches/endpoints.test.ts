import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { degreeIdOf } from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { handler as create } from '../../../../../functions/credentials/degrees/batches/endpoints/create-degree-batch.ts';
import { handler as get } from '../../../../../functions/credentials/degrees/batches/endpoints/get-degree-batch.ts';
import { handler as listErrors } from '../../../../../functions/credentials/degrees/batches/endpoints/list-degree-batch-errors.ts';
import { handler as listLines } from '../../../../../functions/credentials/degrees/batches/endpoints/list-degree-batch-lines.ts';
import { handler as list } from '../../../../../functions/credentials/degrees/batches/endpoints/list-degree-batches.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { keyFor, ownOrganization } from '../../items/own-tenant.ts';
import { type Batch, batchCalls, NDJSON, refused, work } from './calls.ts';
import { fileOf, ownStage, type Stage } from './stage.ts';

let stage: Stage;
await forFile(ownStores());
beforeEach(async () => {
  stage = await ownStage();
});

const { send, sent, read } = batchCalls(() => stage);

describe('POST /api/degrees/batches', () => {
  test('answers the batch at once, and its degrees are created in the background', async () => {
    const answer = await send(fileOf([stage.degree(1), 'bad', '', stage.degree(4)]));
    const batch = answer.json() as Batch;
    expect([answer.status, batch]).toEqual([
      202,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        subscriptionId: stage.organizationId,
        status: 'Created',
        ...{ lines: 3, processed: 0, created: 0, failed: 0 },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        creationDate: expect.any(String),
        updateDate: expect.any(String),
      },
    ]);
    expect(await work()).toEqual([{ batchId: batch.id }]);
    expect(await read(batch.id)).toMatchObject([
      200,
      { status: 'Finished', lines: 3, processed: 3, created: 2, failed: 1 },
    ]);
    const { headers } = stage;
    const errors = await call(listErrors, { params: { id: batch.id }, headers });
    expect(errors.json()).toEqual({
      items: [
        {
          line: 2,
          code: 'InvalidFields',
          message: 'A field or parameter is missing or invalid. The details name it.',
          details: { field: 'line', reason: 'is not valid JSON' },
        },
      ],
      ...{ page: 1, pageSize: 50, totalCount: 1 },
    });
    const lines = await call(listLines, {
      params: { id: batch.id },
      headers,
      query: { page: '2', pageSize: '2' },
    });
    expect(lines.json()).toEqual({
      items: [
        { line: 3, degreeId: null },
        { line: 4, degreeId: degreeIdOf(batch.id, 4) },
      ],
      ...{ page: 2, pageSize: 2, totalCount: 4 },
    });
  });

  test.each(['application/x-ndjson', 'application/ndjson', 'application/jsonl; charset=utf-8'])(
    'takes %s',
    async (type) => {
      const answer = await send(fileOf([stage.degree(1)]), { headers: { 'Content-Type': type } });
      expect(answer.status).toBe(202);
    },
  );

  test.each(['text/plain', 'text/csv', 'application/x-www-form-urlencoded', ''])(
    'refuses %j',
    async (type) => {
      const answer = await send(fileOf([stage.degree(1)]), { headers: { 'Content-Type': type } });
      expect(refused(answer)).toMatchObject([415, { code: 'InvalidRequest' }]);
    },
  );

  test('takes a body as it arrives', async () => {
    async function* arriving() {
      for (let n = 1; n <= 40; n++) yield Buffer.from(`${JSON.stringify(stage.degree(n))}\n`);
    }
    const answer = await call(create, {
      method: 'POST',
      bodyStream: Readable.from(arriving()),
      headers: { ...stage.headers, ...NDJSON },
    });
    expect(refused(answer)).toMatchObject([202, { lines: 40 }]);
  });

  test('stores nothing of a body that breaks off', async () => {
    async function* breaking() {
      yield fileOf([stage.degree(1)]);
      throw new Error('the line went dead');
    }
    const answer = await call(create, {
      method: 'POST',
      bodyStream: Readable.from(breaking()),
      headers: { ...stage.headers, ...NDJSON },
    });
    expect(refused(answer)).toMatchObject([
      422,
      { details: { reason: 'ended before its announced length' } },
    ]);
    expect((await call(list, { headers: stage.headers })).json()).toMatchObject({ totalCount: 0 });
  });

  test.each([
    ['an empty body', ''],
    ['blank lines', '\n \r\n\t\n'],
    ['a byte order mark', '\uFEFF'],
  ])('refuses %s', async (_, body) => {
    expect(refused(await send(body))).toMatchObject([
      422,
      { code: 'InvalidFields', details: { field: 'body', reason: 'has no line' } },
    ]);
  });

  test('takes as many lines as MaxDegreesInBatch, blank ones not counted, and refuses one more', async () => {
    vi.stubEnv('MaxDegreesInBatch', '3');
    const line = JSON.stringify(stage.degree(1));
    expect(refused(await send([line, '', line, '', line, ''].join('\n')))).toMatchObject([202, { lines: 3 }]);
    expect(refused(await send([line, line, line, line].join('\n')))).toMatchObject([
      422,
      { code: 'TooManyLines', details: { limit: '3' } },
    ]);
    // Nor is a file of nothing but line breaks read to its end.
    expect(refused(await send('\n'.repeat(7)))).toMatchObject([422, { code: 'TooManyLines' }]);
    vi.unstubAllEnvs();
    expect((await call(list, { headers: stage.headers })).json()).toMatchObject({ totalCount: 1 });
  });

  test('holds no JSON body in memory that is as large as lines may be', async () => {
    const body = JSON.stringify({ uploadId: 'x', more: 'a'.repeat(2_000_000) });
    const answer = await send(body, { headers: { 'Content-Type': 'application/json' } });
    expect(refused(answer)).toMatchObject([413, { code: 'InvalidRequest' }]);
  });

  test('refuses a body that is too large', async () => {
    vi.stubEnv('Batches__MaxBytes', '1000');
    const answer = await send(fileOf(Array.from({ length: 20 }, (_, n) => stage.degree(n))));
    vi.unstubAllEnvs();
    expect(refused(answer)).toMatchObject([413, { code: 'InvalidRequest' }]);
  });

  test('is of the organization that it names, of those of the key', async () => {
    const second = await ownOrganization();
    const headers = await keyFor([stage.organizationId, second]);
    const body = fileOf([stage.degree(1)]);
    const answer = await send(body, { headers, query: { subscriptionId: second } });
    const { id } = answer.json() as Batch;
    expect(refused(answer)).toMatchObject([202, { subscriptionId: second }]);
    await work();
    // The line names an institute of the other organization of the key, and is created.
    expect(await read(id, headers)).toMatchObject([200, { created: 1 }]);
    // A key without the batch's organization does not see it.
    expect(await read(id)).toMatchObject([404, { code: 'BatchNotFound' }]);
    expect(refused(await send(body, { query: { subscriptionId: second } }))).toMatchObject([
      404,
      { code: 'SubscriptionNotFound' },
    ]);
  });

  test('needs a key with an organization', async () => {
    expect(refused(await send(fileOf([stage.degree(1)]), { headers: await keyFor([]) }))).toMatchObject([
      422,
      { code: 'OrganizationRequired' },
    ]);
    expect((await send('x', { headers: { 'X-API-Key': 'none|none' } })).status).toBe(401);
  });
});

test('GET /api/degrees/batches lists the batches of an organization, newest first, by status', async () => {
  const first = await sent([stage.degree(1)]);
  await work();
  const second = await sent([stage.degree(1)]);
  const { headers } = stage;
  const idsOf = async (query: Record<string, string>) => {
    const { items, totalCount } = (await call(list, { headers, query })).json() as {
      items: Batch[];
      totalCount: number;
    };
    return [items.map(({ id }) => id), totalCount];
  };
  expect(await idsOf({})).toEqual([[second.id, first.id], 2]);
  expect(await idsOf({ status: 'Finished' })).toEqual([[first.id], 1]);
  expect(await idsOf({ status: 'Created' })).toEqual([[second.id], 1]);
  expect(await idsOf({ page: '2', pageSize: '1' })).toEqual([[first.id], 2]);
  expect(await idsOf({ to: '2020-01-01' })).toEqual([[], 0]);
});

test('a batch of another organization is not found, by none of its operations', async () => {
  const { id } = await sent([stage.degree(1)]);
  const { headers } = await ownStage();
  for (const operation of [get, listErrors, listLines])
    expect(refused(await call(operation, { params: { id }, headers }))).toEqual([
      404,
      {
        code: 'BatchNotFound',
        message: expect.any(String),
        resourceName: 'Batch',
        resourceId: id,
        details: expect.anything(),
      },
    ]);
});
