import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCompactJobs } from '../../../../functions/compact/domain/list-jobs.ts';
import { handler as listJobs } from '../../../../functions/compact/endpoints/list-jobs.ts';
import { ask } from '../../batch/jobs/operator.ts';
import { batchStage, type Stage } from '../../batch/stage.ts';
import { list } from '../client.ts';
import { newJobAt } from '../jobs.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await batchStage();
  await stage.profile({
    name: 'sealing',
    encryption: { password: 'a-long-password', salt: Buffer.alloc(16, 5).toString('base64') },
  });
});
afterAll(() => stage.stop());

const namesOf = async (query: Record<string, string>) =>
  (await list(query)).items.map(({ fileName }) => fileName);

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 1);

// One for each value of each filter, a day apart. The last one has facts that no entry has room for.
const JOBS = [
  { fileName: 'ação.pdf', format: 'Pades', externalReference: 'Order-1', encryption: true },
  { fileName: 'BALANÇO.xml', format: 'Xades', source: 'WatchedFolder', state: 'Completed' },
  {
    fileName: 'carta.txt',
    profileName: 'sealing',
    encryptionEnabled: true,
    state: 'Failed',
    errorMessage: 'It failed.',
  },
  { fileName: 'doc.txt', profileName: 'sealing', encryption: false, state: 'Canceled' },
  { fileName: 'espera.txt', state: 'AwaitingApproval', externalReference: 'order-2' },
  { fileName: 'fora.txt', state: 'AwaitingSigner', source: 'SignerFolder' },
  { fileName: `${'ç'.repeat(100)}-long.txt`, externalReference: `${'x'.repeat(500)}ORDER-LAST` },
] as const;

beforeAll(async () => {
  for (const [day, job] of JOBS.entries()) await newJobAt(START_MS + day * DAY_MS, job);
});

const [ACAO, BALANCO, CARTA, DOC, ESPERA, FORA, LONG] = JOBS.map(({ fileName }) => fileName);

describe('a list of jobs', () => {
  test('is newest first, with an exact total and every field', async () => {
    const answer = (await ask(listJobs, { query: { page: '2', pageSize: '4' } })).json();
    expect(answer).toEqual({
      total: 7,
      page: 2,
      pageSize: 4,
      items: [
        expect.objectContaining({ fileName: CARTA, status: 'Failed', errorMessage: 'It failed.' }),
        expect.objectContaining({ fileName: BALANCO }),
        {
          id: expect.any(String),
          fileName: ACAO,
          status: 'Pending',
          source: 'RestApi',
          signatureFormat: 'Pades',
          encryptionEnabled: true,
          externalReference: 'Order-1',
          createdAtUtc: '2026-03-01T00:00:00.000Z',
          updatedAtUtc: '2026-03-01T00:00:00.000Z',
          completedAtUtc: null,
          errorMessage: null,
        },
      ],
    });
  });

  test.each<[Record<string, string>, readonly (string | undefined)[]]>([
    [{ status: 'Pending' }, [LONG, FORA, ESPERA, ACAO]],
    [{ status: 'Processing' }, []],
    [{ status: 'Completed' }, [BALANCO]],
    [{ status: 'Failed' }, [CARTA]],
    [{ status: 'Rejected' }, [DOC]],
    [{ source: 'RestApi' }, [LONG, ESPERA, DOC, CARTA, ACAO]],
    [{ source: 'WatchedFolder' }, [BALANCO]],
    [{ source: 'SignerFolder' }, [FORA]],
    [{ signatureFormat: 'Pades' }, [ACAO]],
    [{ signatureFormat: 'Xades' }, [BALANCO]],
    [{ signatureFormat: 'Cades' }, [LONG, FORA, ESPERA, DOC, CARTA]],
    [{ encryptionEnabled: 'true' }, [CARTA, ACAO]],
    [{ encryptionEnabled: 'false' }, [LONG, FORA, ESPERA, DOC, BALANCO]],
    [{ filenameContains: 'AÇ' }, [ACAO]],
    [{ filenameContains: 'balanço' }, [BALANCO]],
    [{ filenameContains: '-LONG.' }, [LONG]],
    [{ filenameContains: 'status:' }, []],
    [{ externalReferenceContains: 'ORDER' }, [LONG, ESPERA, ACAO]],
    [{ externalReferenceContains: 'order-last' }, [LONG]],
    [{ createdFromUtc: '2026-03-05' }, [LONG, FORA, ESPERA]],
    [{ createdToUtc: '2026-03-02' }, [BALANCO, ACAO]],
    [{ status: 'pending', source: 'RESTAPI', encryptionEnabled: 'False' }, [LONG, ESPERA]],
    [{ source: 'watchedfolder', signatureFormat: 'XADES' }, [BALANCO]],
    [{ createdFromUtc: '2026-03-07T00:00:00', createdToUtc: '2026-03-07T00:00' }, [LONG]],
    [{ createdFromUtc: '2026-03-02T00:00:00Z', createdToUtc: '2026-03-03T00:00:00-00:00' }, [CARTA, BALANCO]],
    [{ status: 'Pending', createdFromUtc: '2026-03-02', createdToUtc: '2026-03-06' }, [FORA, ESPERA]],
    [{ status: 'Pending', externalReferenceContains: 'order', pageSize: '1', page: '2' }, [ESPERA]],
    [
      {
        status: 'Failed',
        source: 'RestApi',
        signatureFormat: 'Cades',
        encryptionEnabled: 'true',
        filenameContains: 'ART',
        createdFromUtc: '2026-03-01',
        createdToUtc: '2026-03-31',
      },
      [CARTA],
    ],
    [
      {
        page: '1',
        pageSize: '200',
        status: 'Pending',
        source: 'RestApi',
        signatureFormat: 'Pades',
        encryptionEnabled: 'true',
        filenameContains: 'acao',
        externalReferenceContains: 'order-1',
        createdFromUtc: '2026-03-01T00:00:00.000Z',
        createdToUtc: '2026-03-01T00:00:00.000Z',
      },
      [ACAO],
    ],
  ])('with %j', async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
  });

  test('counts what matches, not what is on the page', async () => {
    expect((await list({ signatureFormat: 'Cades', pageSize: '1' })).total).toBe(5);
    expect((await list({ signatureFormat: 'Cades', pageSize: '1', page: '9' })).items).toEqual([]);
  });

  test.each([
    ['status', 'Queued'],
    ['status', 'waiting'],
    ['source', 'Upload'],
    ['signatureFormat', 'Auto'],
    ['signatureFormat', ''],
    ['encryptionEnabled', 'yes'],
    ['filenameContains', ''],
    ['filenameContains', 'x'.repeat(513)],
    ['externalReferenceContains', ''],
    ['createdFromUtc', 'yesterday'],
    ['createdFromUtc', '2026-02-30'],
    ['createdToUtc', '2026-03-01T00:00:00 03:00'],
    ['page', '0'],
    ['page', '10737419'],
    ['pageSize', '201'],
    ['pageSize', '-1'],
    ['profile', 'default'],
    ['filename', 'a'],
  ])('with %s=%.40s is refused, and never wider', async (name, value) => {
    const { status, json } = await ask(listJobs, { query: { [name]: value } });
    expect([status, json()]).toEqual([400, expect.objectContaining({ code: 'validation.filter-invalid' })]);
  });

  test('with a range that ends before it begins, or a value given twice, is refused', async () => {
    const queries: Record<string, string | string[]>[] = [
      { createdFromUtc: '2026-03-02', createdToUtc: '2026-03-01' },
      { status: ['Failed', 'Completed'] },
    ];
    for (const query of queries) {
      const { status, json } = await ask(listJobs, { query });
      expect([status, json()]).toEqual([400, expect.objectContaining({ code: 'validation.filter-invalid' })]);
    }
  });

  test('that would search too many jobs asks for a narrower range, and searches none', async () => {
    const request = { page: 1, pageSize: 50, signatureFormat: 'Pades' } as const;
    await expect(listCompactJobs(request, START_MS, 6)).rejects.toMatchObject({
      code: 'validation.filter-invalid',
      status: 400,
      fields: [{ field: 'createdFromUtc', message: expect.stringContaining('narrow the range') }],
    });
    expect((await listCompactJobs(request, START_MS, 7)).total).toBe(1);
    expect((await listCompactJobs({ ...request, fromMs: START_MS + DAY_MS }, START_MS, 6)).total).toBe(0);
    // An index answers these, whatever the number.
    expect((await listCompactJobs({ page: 1, pageSize: 50, status: 'Pending' }, START_MS, 1)).total).toBe(4);
  });
});
