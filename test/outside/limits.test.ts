import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, CallOptions, Json } from './support/contract.ts';
import { file, form, pdf } from './support/files.ts';
import {
  codeOf,
  items,
  openServices,
  outcomeOf,
  type Limit as Row,
  type ServiceName,
  text,
} from './support/limits.ts';
import { sharedEngine } from './support/shared-engine.ts';

const engine = sharedEngine();
const { url } = engine;
const [first] = engine.applications;
const CPF = '52998224725';
// Nobody else of these tests signs with it: its wrong PINs lock it.
const LOCKED_CPF = '47363361886';
const MB = 1024 * 1024;

const services = await openServices(engine);
const outcome = (service: ServiceName, operation: string, options: CallOptions) =>
  outcomeOf(services[service], operation, options);

const upload = async (bytes: Uint8Array<ArrayBuffer> | string, name = 'a.pdf', type = 'application/pdf') =>
  (await services.documents.call('createUpload', { body: form({ file: file(bytes, name, type) }) })).json.id;
const approver = { type: 'Approver', user: { name: 'Bia Lima', email: 'bia@outside.example' } };
const textFile = (name: string, bytes: Uint8Array<ArrayBuffer> | string = 'x') =>
  file(bytes, name, 'text/plain');

let sessionId: string;
const openSession = async (more: object = {}): Promise<Json> => {
  const body = { cpf: CPF, pin: '1234', ...more };
  const session = (await services.session.call('createSession', { body })).json;
  ({ sessionId } = session);
  return session;
};

const SIZES: readonly Row[] = [
  [
    'bytes of a document of a session, in a form',
    10 * MB,
    '413 DOCUMENT_TOO_LARGE',
    (n) =>
      outcome('session', 'signDocument', {
        body: form({ sessionId, document: file(pdf('large', n), 'a.pdf', 'application/pdf') }),
      }),
  ],
  [
    'bytes of a document of a session, in JSON',
    10 * MB,
    '413 DOCUMENT_TOO_LARGE',
    (n) =>
      outcome('session', 'signDocument', {
        body: { sessionId, document: pdf('large', n).toString('base64') },
      }),
  ],
  [
    'bytes of a document of a session, by a link',
    10 * MB,
    '413 DOCUMENT_TOO_LARGE',
    (n) => outcome('session', 'createPresignedUpload', { body: { sessionId, size: n } }),
  ],
  [
    'documents of a batch of a session',
    50,
    '400 INVALID_REQUEST',
    (n) =>
      outcome('session', 'signBatch', {
        body: form({ sessionId, files: items(n, (i) => file(pdf(`${i}`), `${i}.pdf`, 'application/pdf')) }),
      }),
  ],
  [
    'characters of an Idempotency-Key',
    255,
    '400 INVALID_REQUEST',
    (n) =>
      outcome('session', 'signDocument', {
        headers: { 'idempotency-key': randomUUID().padEnd(n, 'x') },
        body: { sessionId, document: pdf('once').toString('base64') },
      }),
  ],
  [
    'characters of the custom state of the hub',
    10_000,
    '400 One or more fields are missing or malformed.',
    (n) =>
      outcome('hub', 'createServiceSession', {
        path: { name: 'alpha' },
        body: { redirectUri: `${url}/sandbox/client/return`, identifier: CPF, customState: text(n) },
      }),
  ],
  [
    'bytes of a file that is signed by API',
    10 * MB,
    '413 InvalidRequest',
    (n) =>
      outcome('pki', 'uploadPlain', {
        body: form({ file: file(pdf('large', n), 'a.pdf', 'application/pdf') }),
      }),
  ],
  [
    'documents of a signature session',
    20,
    '422 TooManyDocuments',
    (n) =>
      outcome('pki', 'createSignatureSession', {
        body: {
          documents: items(n, (i) => ({
            file: { name: `${i}.txt`, mimeType: 'text/plain', content: 'eA==' },
          })),
        },
      }),
  ],
  [
    'characters of a callback argument',
    2048,
    '400 InvalidRequest',
    (n) => outcome('pki', 'createSignatureSession', { body: { callbackArgument: text(n) } }),
  ],
  [
    'document keys at a time',
    100,
    '400 InvalidRequest',
    (n) => outcome('pki', 'allocateDocumentKeys', { body: { count: n } }),
  ],
  [
    'bytes of an upload of documents',
    100 * MB,
    '413 InvalidRequest',
    (n) =>
      outcome('documents', 'createUpload', {
        body: form({ file: file(Buffer.alloc(n, 'x'), 'a.bin', 'application/octet-stream') }),
      }),
  ],
  [
    'bytes of an upload of documents, by a link',
    100 * MB,
    '413 InvalidRequest',
    (n) =>
      outcome('documents', 'createPresignedUpload', {
        body: { name: 'a.bin', contentType: 'application/octet-stream', size: n },
      }),
  ],
  [
    'bytes of a file that is verified',
    25 * MB,
    '413 InvalidRequest',
    (n) =>
      outcome('documents', 'verifyFile', {
        body: form({ file: file(pdf('large', n), 'a.pdf', 'application/pdf') }),
      }),
  ],
  [
    'files of a creation',
    50,
    '400 InvalidRequest',
    async (n) => {
      const files = await Promise.all(items(n, async (i) => ({ id: await upload(pdf(`${i}`)) })));
      return outcome('documents', 'createDocuments', { body: { files, flowActions: [approver] } });
    },
  ],
  [
    'files of an envelope',
    50,
    '400 InvalidRequest',
    async (n) => {
      const files = await Promise.all(items(n, async (i) => ({ id: await upload(pdf(`${i}`)) })));
      const body = { files, flowActions: [approver], isEnvelope: true };
      return outcome('documents', 'createDocuments', { body });
    },
  ],
  [
    'marks of an action',
    50,
    '400 InvalidRequest',
    async (n) => {
      const prePositionedMarks = items(n, () => ({ page: 1, x: 10, y: 10, width: 50, height: 20 }));
      const body = {
        files: [{ id: await upload(pdf('marks')) }],
        flowActions: [{ ...approver, prePositionedMarks }],
      };
      return outcome('documents', 'createDocuments', { body });
    },
  ],
  [
    'documents that are moved at once',
    100,
    '400 InvalidRequest',
    (n) => outcome('documents', 'moveDocuments', { body: { documents: items(n, () => randomUUID()) } }),
  ],
  [
    'documents of a page',
    100,
    '400 InvalidRequest',
    (n) => outcome('documents', 'listDocuments', { query: { limit: n } }),
  ],
  [
    'lines of a table',
    5000,
    '422 DataFileNotUsable',
    async (n) => {
      const table = `name\n${'Ana\n'.repeat(n)}`;
      const answer = await services.documents.call('createGeneration', {
        expect: 'any',
        body: {
          templateFile: { id: await upload('I, {{name}}.', 'a.txt', 'text/plain') },
          dataFile: { id: await upload(table, 'a.csv', 'text/csv') },
          flowActions: [{ type: 'Approver', user: { name: '{{name}}', email: 'bia@outside.example' } }],
        },
      });
      if (answer.status >= 400) return `${answer.status} ${codeOf(answer)}`;
      await services.documents.call('cancelGeneration', { path: { id: answer.json.id } });
      return 'taken';
    },
  ],
  [
    'jobs of a page of batch',
    200,
    '400 validation.filter-invalid',
    (n) => outcome('batch', 'listJobs', { query: { pageSize: n } }),
  ],
  [
    'the last page of batch',
    10_737_418,
    '400 validation.filter-invalid',
    (n) => outcome('batch', 'listJobs', { query: { page: n } }),
  ],
  [
    'characters of a text that is searched in batch',
    200,
    '400 validation.filter-invalid',
    (n) => outcome('batch', 'listJobs', { query: { text: text(n) } }),
  ],
  [
    'jobs of a page of compact',
    200,
    '400 validation.filter-invalid',
    (n) => outcome('compact', 'listJobs', { query: { pageSize: n } }),
  ],
  [
    'the last page of compact',
    10_737_418,
    '400 validation.filter-invalid',
    (n) => outcome('compact', 'listJobs', { query: { page: n } }),
  ],
  [
    'degrees of a page',
    200,
    '422 InvalidFields',
    (n) => outcome('credentials', 'listDegrees', { query: { pageSize: n } }),
  ],
  [
    'bytes of a batch of degrees, by a link',
    256 * MB,
    '413 InvalidRequest',
    (n) => outcome('credentials', 'presignDegreeBatch', { body: { size: n } }),
  ],
  [
    'bytes of an XML file',
    10 * MB,
    '422 InvalidXml',
    (n) => {
      const xml =
        '<CurriculoEscolar xmlns="https://portal.mec.gov.br/diplomadigital/arquivos-em-xsd"><!----></CurriculoEscolar>';
      const content = Buffer.from(xml.replace('<!---->', `<!--${text(n - xml.length)}-->`)).toString(
        'base64',
      );
      const body = {
        code: 'A',
        course: 'B',
        instituteId: first?.institute,
        files: [{ name: 'curriculum', content }],
      };
      return outcome('credentials', 'createCurriculum', { body });
    },
  ],
];

describe('a limit of the size of a request', () => {
  beforeAll(() => openSession());

  test.each(SIZES)('%s: %i', async (_, limit, refusal, play) => {
    const outcomes = [await play(limit - 1), await play(limit), await play(limit + 1)];
    expect(outcomes).toEqual(['taken', 'taken', refusal]);
  });
});

describe('a limit of files that are signed in the background', () => {
  // Nothing of them is to be signed: the signature of 100 MB is no matter of the limit.
  beforeAll(async () => {
    await services.batch.call('pausePipeline');
    return () => services.batch.call('resumePipeline');
  });

  /** Uploads by addresses of their own, so that no limit of a minute counts them. */
  async function uploadAndCancel(
    service: 'batch' | 'compact',
    content: File,
    fields: Record<string, string>,
    from: string,
  ) {
    const options = { body: form({ file: content, ...fields }), from, expect: 'any' as const };
    const answer = await services[service].call('uploadFile', options);
    if (answer.status >= 400) return `${answer.status} ${codeOf(answer)}`;
    await services.batch.call('cancelJob', { path: { id: answer.json.jobId } });
    return 'taken';
  }

  const rows: readonly Row[] = [
    [
      'bytes of an upload of batch',
      100 * MB,
      '413 upload.too-large',
      (n) => uploadAndCancel('batch', textFile(`${randomUUID()}.bin`, Buffer.alloc(n, 'x')), {}, '127.0.2.1'),
    ],
    [
      'bytes of an upload of compact',
      100 * MB,
      '413 upload.too-large',
      (n) =>
        uploadAndCancel('compact', textFile(`${randomUUID()}.bin`, Buffer.alloc(n, 'x')), {}, '127.0.2.1'),
    ],
    [
      'characters of the path of a file',
      850,
      '400 job.path-too-long',
      (n) =>
        uploadAndCancel(
          'batch',
          textFile(randomUUID().padEnd(n - 'input/uploads/'.length, 'x')),
          {},
          '127.0.2.2',
        ),
    ],
    [
      'characters of an external reference',
      512,
      '400 request.invalid',
      (n) => uploadAndCancel('compact', textFile(randomUUID()), { externalReference: text(n) }, '127.0.2.3'),
    ],
  ];

  test.each(rows)('%s: %i', async (_, limit, refusal, play) => {
    const outcomes = [await play(limit - 1), await play(limit), await play(limit + 1)];
    expect(outcomes).toEqual(['taken', 'taken', refusal]);
  });
});

test('an archive has 50 jobs', async () => {
  const batch = services.batch;
  // 30 uploads in a minute are taken from an address.
  const ids = await Promise.all(
    items(51, async (n) => {
      const options = {
        body: form({ file: textFile(`${randomUUID()}.txt`) }),
        from: `127.0.3.${1 + (n % 2)}`,
      };
      return (await batch.call('uploadFile', options)).json.jobId as string;
    }),
  );
  const statusOf = async (id: string) => (await batch.call('getJob', { path: { id } })).json.status;
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe('Completed');
  const play = (n: number) => outcome('batch', 'getJobsArchive', { query: { id: ids.slice(0, n) } });
  expect([await play(49), await play(50), await play(51)]).toEqual([
    'taken',
    'taken',
    '400 job.archive-too-large',
  ]);
});

test('a session lasts a day at most, however much is asked for', async () => {
  const day = 86_400;
  const granted = [];
  for (const sessionDuration of [day - 1, day, day + 1])
    granted.push((await openSession({ sessionDuration })).expiresIn);
  expect(granted).toEqual([day - 1, day, day]);
});

test('an organization has five webhooks', async () => {
  const path = { orgId: first?.organization ?? '' };
  const body = { url: `${url}/sandbox/receiver/limits`, authType: 'NoAuth' };
  const answers = [];
  for (let n = 1; n <= 6; n++)
    answers.push(await services.documents.call('createWebhook', { path, body, expect: 'any' }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 422]);
  expect(answers[5]?.json.code).toBe('MaxWebhooksLimitReached');
  for (const { json } of answers.slice(0, 5))
    await services.documents.call('deleteWebhook', { path: { ...path, webhookId: json.webhookId } });
});

/**
 * Calls of one address in a minute. Each row has an address of its own, which nothing else calls from. Windows are of the
 * clock: a row that meets the end of one is played again from the next address.
 */
type Rate = readonly [what: string, limit: number, refusal: string, play: (from: string) => Promise<Answer>];

const get =
  (service: ServiceName, operation: string, options: CallOptions = {}) =>
  (from: string) =>
    services[service].call(operation, { ...options, from, expect: 'any' });

const RATES: readonly Rate[] = [
  ['calls of compact', 60, 'rate-limited', get('compact', 'getMetrics')],
  ['calls of compact with a wrong key', 60, 'rate-limited', get('compact', 'listJobs', { key: 'wrong|key' })],
  [
    'uploads of batch',
    30,
    'rate-limited',
    get('batch', 'uploadFile', { query: { profile: 'none' }, body: form({ file: textFile('a') }) }),
  ],
  ['actions of an operator', 60, 'rate-limited', get('batch', 'getPipelineState')],
  [
    'exports of jobs',
    10,
    'rate-limited',
    get('batch', 'exportJobs', { query: { text: 'nothing has this' } }),
  ],
  [
    'decisions of approvers',
    10,
    'rate-limited',
    get('batch', 'decide', { path: { id: randomUUID() }, key: null, body: { email: 'ana@sandbox.example' } }),
  ],
  [
    'files that anyone has verified',
    30,
    'TooManyRequests',
    get('documents', 'verifyByCode', { path: { code: 'NONE' }, key: null }),
  ],
  [
    'log-ins of operators',
    60,
    'rate-limited',
    get('batch', 'logIn', { key: null, body: new URLSearchParams({ ApiKey: 'wrong', ReturnUrl: '/' }) }),
  ],
  [
    'notifications of signers',
    600,
    'rate-limited',
    get('batch', 'receiveNotification', {
      key: null,
      headers: { authorization: 'Bearer sinete-local-signer-secret' },
      body: { type: 'WebhookTest', data: {} },
    }),
  ],
  ['refused keys', 60, 'TooManyRequests', get('documents', 'listFolders', { key: 'wrong|key' })],
];

describe('a limit of an address in a minute', () => {
  test.each(RATES)('%s: %i', async (what, limit, refusal, play) => {
    const row = RATES.findIndex(([each]) => each === what) + 1;
    const playFrom = async (from: string) => {
      const answers = [];
      for (let n = 1; n <= limit + 1; n++) answers.push(await play(from));
      return answers;
    };
    let answers = await playFrom(`127.0.4.${row}`);
    if (answers.at(-1)?.status !== 429) answers = await playFrom(`127.0.5.${row}`);
    const over = answers.pop() as Answer;
    expect(answers.map(({ status }) => status)).not.toContain(429);
    expect([over.status, codeOf(over)]).toEqual([429, refusal]);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    // Somebody at another address is not limited by it.
    expect((await play(`127.0.6.${row}`)).status).not.toBe(429);
  });
});

test('five wrong PINs lock a CPF, for the right one too', async () => {
  const open = async (pin: string) => {
    const body = { cpf: LOCKED_CPF, pin };
    return codeOf(await services.session.call('createSession', { body, expect: 'any' }));
  };
  const wrong = [];
  for (let n = 1; n <= 5; n++) wrong.push(await open('0000'));
  expect(wrong).toEqual(items(5, () => 'INVALID_PIN'));
  expect(await open('1234')).toBe('TOO_MANY_PIN_ATTEMPTS');
});
