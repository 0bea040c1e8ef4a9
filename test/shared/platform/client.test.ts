import { describe, expect, test } from 'vitest';
import type { Deadline } from '../../../shared/async/deadline.ts';
import { platformClient } from '../../../shared/platform/client.ts';
import { isPermanent, PlatformRefused, PlatformUnreachable } from '../../../shared/platform/errors.ts';
import { isSha256, parseActionUrl } from '../../../shared/platform/signatures.ts';
import { clientBeforeServer, failureOf } from './a-client.ts';

const stage = clientBeforeServer({ requestTimeoutMs: 300 });
const { client, received, within } = stage;

const upload = { uploadId: 'u1', fileName: 'a\u202Eb.pdf' };
const tag = { label: 'job', value: 'j1' };
const creation = {
  upload,
  contentType: 'application/pdf',
  signers: [
    { name: 'Ana', cpf: '52998224725', email: 'ana@example.com', step: 1 },
    { name: 'Bruno', cpf: '47363361886', email: 'bruno@example.com', step: 2 },
  ],
  folderId: 'f1',
  tag,
  disableNotifications: true,
};
const firstPage = async (deadline: Deadline) => (await client.pendingInFolder('f1', deadline).next()).value;

const CALLS: Readonly<Record<string, (deadline: Deadline) => Promise<unknown>>> = {
  uploadFile: (by) => client.uploadFile({ bytes: Buffer.from('%PDF'), fileName: 'a.pdf' }, by),
  createDocument: (by) => client.createDocument(creation, by),
  readDocument: (by) => client.readDocument('d1', by),
  statusOf: (by) => client.statusOf('d1', by),
  readFolder: (by) => client.readFolder('f1', by),
  pendingInFolder: firstPage,
  actionUrl: (by) => client.actionUrl('d1', { cpf: '52998224725' }, by),
  startSignature: (by) => client.startSignature({ documentId: 'd1' }, Buffer.from('der'), by),
  completeSignature: (by) =>
    client.completeSignature({ documentId: 'd1' }, { token: 't', signature: Buffer.from('s') }, by),
  cancelDocument: (by) => client.cancelDocument('d1', 'No longer needed.', by),
  findByTag: (by) => client.findByTag({ tag, text: '52998224725' }, by),
  findEnded: (by) => client.findEnded({ tag, text: '52998224725', begunAtMs: stage.now() }, by),
  openSigned: (by) => client.openSigned('d1', by),
};

describe.each(Object.entries(CALLS))('%s', (name, run) => {
  test.each([
    ['500', 500, '{"code":"Down"}'],
    ['401', 401, '{"code":"Unauthorized"}'],
    ['403', 403, '{"code":"Forbidden"}'],
    ['429 without Retry-After', 429, '{}'],
    ['a redirect', 302, ''],
    ['404 in HTML', 404, '<html>Not here</html>'],
  ])('an answer of %s is an outage', async (_, status, body) => {
    stage.answer((_request, response) =>
      response.writeHead(status, { location: 'http://other.example' }).end(body),
    );
    const error = await failureOf(run(within()));
    expect(error).toBeInstanceOf(PlatformUnreachable);
    expect(isPermanent(error)).toBe(false);
    expect(received).toHaveLength(1);
  });

  test('a line that is cut is an outage', async () => {
    stage.answer((request) => request.socket.destroy());
    expect(await failureOf(run(within()))).toBeInstanceOf(PlatformUnreachable);
  });

  test('silence ends with the deadline', async () => {
    stage.answer(() => undefined);
    expect(await failureOf(run(within(50)))).toBeInstanceOf(PlatformUnreachable);
  });

  test('nothing is asked once the deadline has passed', async () => {
    expect(await failureOf(run(within(0)))).toBeInstanceOf(PlatformUnreachable);
    expect(received).toEqual([]);
  });

  // A folder that is not there is an answer.
  const permanent = [400, 404, 410, 422].filter((status) => name !== 'readFolder' || status !== 404);
  test.each(permanent)('a refusal with %i is permanent', async (status) => {
    stage.answerJson({ code: 'DocumentNotFound', message: 'No such document.' }, status);
    const error = await failureOf(run(within()));
    expect(error).toBeInstanceOf(PlatformRefused);
    expect(error).toMatchObject({ status, code: 'DocumentNotFound', message: 'No such document.' });
    expect(isPermanent(error)).toBe(true);
  });

  test('a refusal with 409 is one that may pass', async () => {
    stage.answerJson({}, 409);
    const error = await failureOf(run(within()));
    expect(error).toMatchObject({ name: 'PlatformRefused', status: 409, code: '409' });
    expect(isPermanent(error)).toBe(false);
  });
});

describe.each(Object.entries(CALLS).filter(([name]) => !['openSigned', 'cancelDocument'].includes(name)))(
  '%s',
  (_, run) => {
    test.each(['<html>Welcome</html>', '{"ok":true}', '[]', '"text"', '{', ''])(
      'an answer of another shape is an outage: %s',
      async (body) => {
        stage.answer((_request, response) => response.end(body));
        expect(await failureOf(run(within()))).toBeInstanceOf(PlatformUnreachable);
      },
    );

    test('silence ends with the time-out of a request', async () => {
      stage.answer(() => undefined);
      expect(await failureOf(run(within()))).toBeInstanceOf(PlatformUnreachable);
    });
  },
);

test('a platform that is not there is an outage, told without the key', async () => {
  const access = { address: 'http://127.0.0.1:1', apiKey: 'app|secret', requestTimeoutMs: 5_000 };
  const error = await failureOf(platformClient(access).statusOf('d1', within()));
  expect(error).toBeInstanceOf(PlatformUnreachable);
  expect(error.message).not.toContain('secret');
});

describe('the requests', () => {
  const sent = () => JSON.parse(received[0]?.text ?? '');

  test('every call carries the key', async () => {
    stage.answerJson({ status: 'Pending' });
    expect(await client.statusOf('d/1?', within())).toBe('Pending');
    expect(received[0]).toMatchObject({
      call: 'GET /api/documents/d%2F1%3F',
      headers: { 'x-api-key': 'app|secret', accept: 'application/json' },
    });
  });

  test.each(['', '.', '..'])('an id that a path resolves is not sent: "%s"', async (id) => {
    expect(await failureOf(client.statusOf(id, within()))).toMatchObject({ status: 404 });
    expect(received).toEqual([]);
  });

  test('a file goes as a form', async () => {
    stage.answerJson({ id: 'u1' });
    const file = { bytes: Buffer.from('text'), fileName: 'a"b\r\n.txt', contentType: 'text/plain' };
    expect(await client.uploadFile(file, within())).toEqual({ uploadId: 'u1', fileName: file.fileName });
    expect(received[0]?.text).toContain(
      'filename="a%22b%0D%0A.txt"\r\ncontent-type: text/plain\r\n\r\ntext\r\n',
    );
  });

  test('a document has a title for people beside the name of its file', async () => {
    const filesOf = async (title: string) => {
      stage.answerJson([{ uploadId: 'u1', documentId: 'd1', attachments: [] }]);
      await client.createDocument({ ...creation, title }, within());
      return JSON.parse(received.at(-1)?.text ?? '').files;
    };
    const file = { id: 'u1', name: 'ab.pdf', contentType: 'application/pdf' };
    const title = ' Diploma de\nMaria \u202Eda Silva ';
    expect(await filesOf(title)).toEqual([{ ...file, displayName: 'Diploma de Maria da Silva' }]);
    expect(await filesOf('\u200B')).toEqual([{ ...file, displayName: 'document' }]);
    expect(await filesOf('ç'.repeat(300))).toEqual([{ ...file, displayName: 'ç'.repeat(255) }]);
  });

  test('a document is created with its signers in steps, its folder, its tag and its end', async () => {
    stage.answerJson([{ uploadId: 'u1', documentId: 'd1', attachments: [] }]);
    const expiresAtMs = Date.parse('2026-08-01T00:00:00Z');
    const request = { ...creation, expiresAtMs, forceCadesSignature: true };
    expect(await client.createDocument(request, within())).toBe('d1');
    expect(sent()).toEqual({
      files: [{ id: 'u1', displayName: 'ab.pdf', name: 'ab.pdf', contentType: 'application/pdf' }],
      flowActions: [
        {
          type: 'Signer',
          step: 1,
          user: { name: 'Ana', identifier: '52998224725', email: 'ana@example.com' },
        },
        {
          type: 'Signer',
          step: 2,
          user: { name: 'Bruno', identifier: '47363361886', email: 'bruno@example.com' },
        },
      ],
      folderId: 'f1',
      tags: [tag],
      disablePendingActionNotifications: true,
      expirationDate: '2026-08-01T00:00:00.000Z',
      forceCadesSignature: true,
    });
  });

  test('a signature goes by the id of a document, or by the key and the ticket of its action URL', async () => {
    const hash = Buffer.alloc(32, 7);
    stage.answerJson({ success: true, token: 't1', toSignHash: hash.toString('base64') });
    const byKey = { documentKey: 'k/1', ticket: 't+1', flowActionId: 'a1' };
    const toSign = await client.startSignature(byKey, Buffer.from('der'), within());
    expect(toSign).toEqual({ isAccepted: true, token: 't1', hash, digestAlgorithm: 'SHA256' });
    expect(received[0]?.call).toBe('POST /api/documents/keys/k%2F1/signature/certificate');
    expect(sent()).toEqual({ ticket: 't+1', certificate: 'ZGVy', flowActionId: 'a1' });

    stage.answerJson({ success: false });
    const proof = { token: 't1', signature: Buffer.from('s') };
    expect(await client.completeSignature(byKey, proof, within())).toMatchObject({ isAccepted: false });
    expect(await client.completeSignature({ documentId: 'd1' }, proof, within())).toMatchObject({
      isAccepted: false,
    });
    expect(received.slice(1).map(({ call, text }) => [call, text])).toEqual([
      ['POST /api/documents/keys/k%2F1/signature', '{"token":"t1","signature":"cw=="}'],
      ['POST /api/documents/d1/signature', '{"token":"t1","signature":"cw=="}'],
    ]);
  });

  test.each([{ success: false }, { success: true, token: 't' }, { success: true, toSignHash: 'AAAA' }])(
    'a start that gives nothing to sign is none: %o',
    async (answer) => {
      stage.answerJson(answer);
      expect(await client.startSignature({ documentId: 'd1' }, Buffer.from('der'), within())).toEqual({
        isAccepted: false,
        reason: undefined,
      });
    },
  );

  test('the errors of the platform are the reason why it does not accept', async () => {
    const validationResults = { isValid: false, errors: [{ message: 'Expired.' }, { message: 'Revoked.' }] };
    stage.answerJson({ success: false, validationResults });
    const refused = { isAccepted: false, reason: 'Expired. Revoked.' };
    expect(await client.startSignature({ documentId: 'd1' }, Buffer.from('der'), within())).toEqual(refused);
    const proof = { token: 't', signature: Buffer.from('s') };
    expect(await client.completeSignature({ documentId: 'd1' }, proof, within())).toEqual(refused);
  });

  test.each([7, 'not base64!', {}])(
    'data to sign that is none is left aside, and the hash is signed: %o',
    async (toSignData) => {
      stage.answerJson({ success: true, token: 't', toSignHash: 'AAAA', toSignData });
      const toSign = await client.startSignature({ documentId: 'd1' }, Buffer.from('der'), within());
      expect(toSign).toMatchObject({
        isAccepted: true,
        hash: Buffer.from('AAAA', 'base64'),
        data: undefined,
      });
    },
  );

  test('the digest is told in the platform’s words', async () => {
    const started = { success: true, token: 't', toSignHash: 'AAAA' };
    stage.answerJson({ ...started, digestAlgorithm: 'SHA512' });
    const toSign = await client.startSignature({ documentId: 'd1' }, Buffer.from('der'), within());
    expect(toSign).toMatchObject({ digestAlgorithm: 'SHA512' });
    expect(['SHA512', 'sha-256'].map((digestAlgorithm) => isSha256({ digestAlgorithm }))).toEqual([
      false,
      true,
    ]);
  });

  test('a document is read with the people of its flow', async () => {
    stage.answerJson({
      id: 'd1',
      name: 'contract',
      status: 'Canceled',
      statusUpdateReason: 'Replaced.',
      folder: { id: 'f1', name: 'Contracts' },
      tags: [{ label: 'job', value: 'j1' }, { label: 'plain' }],
      flowActions: [
        {
          id: 'a1',
          type: 'Signer',
          step: 1,
          status: 'Completed',
          user: { identifier: '529.982.247-25', email: 'ana@example.com' },
        },
        {
          id: 'a2',
          type: 'SignRule',
          step: 2,
          status: 'Pending',
          user: null,
          signRuleUsers: [{ identifier: '47363361886' }, { emailAddress: 'eva@example.com' }],
          completedBy: [{ identifier: '47363361886' }],
        },
      ],
    });
    expect(await client.readDocument('d1', within())).toEqual({
      id: 'd1',
      name: 'contract',
      fileName: 'contract',
      status: 'Canceled',
      statusUpdateReason: 'Replaced.',
      folderId: 'f1',
      tags: [{ label: 'job', value: 'j1' }, { label: 'plain' }],
      flowActions: [
        {
          ...{ id: 'a1', type: 'Signer', step: 1, status: 'Completed' },
          ...{ cpfs: ['52998224725'], emails: ['ana@example.com'], completedCpfs: [] },
        },
        {
          ...{ id: 'a2', type: 'SignRule', step: 2, status: 'Pending' },
          ...{ cpfs: ['47363361886'], emails: ['eva@example.com'], completedCpfs: ['47363361886'] },
        },
      ],
    });
  });

  test.each([
    [404, 'FolderNotFound'],
    [404, 'NotFound'],
    [422, 'FolderNotFound'],
  ])('a folder is not there by %i %s', async (status, code) => {
    stage.answerJson({ code }, status);
    expect(await client.readFolder('f1', within())).toBeUndefined();
  });
});

describe('lists', () => {
  const listed = (id: string, more = {}) => ({ id, status: 'Pending', ...more });
  const queries = () => received.map(({ call }) => new URL(call.slice(4), 'http://p').searchParams);

  test('a folder is listed to its end by cursor, short pages included', async () => {
    const pages = [
      { items: [listed('d1'), listed('d2')], nextCursor: 'c1' },
      { items: [], nextCursor: 'c2' },
      { items: [listed('d3', { flowActions: [] })], nextCursor: null },
    ];
    stage.answer((_, response) => response.end(JSON.stringify(pages[received.length - 1])));
    const listing = await Array.fromAsync(client.pendingInFolder('f1', within()));
    const found = listing.flatMap(({ items }) => items);
    expect(found.map(({ id, name, flowActions }) => [id, name, flowActions])).toEqual([
      ['d1', 'd1', undefined],
      ['d2', 'd2', undefined],
      ['d3', 'd3', []],
    ]);
    expect(queries().map((query) => query.get('cursor'))).toEqual([null, 'c1', 'c2']);
    expect(Object.fromEntries(queries()[0] ?? [])).toEqual({
      ...{ folderId: 'f1', filterByPendingSignature: 'true', order: 'Asc', limit: '25' },
    });
  });

  /** A platform without cursors. It answers too many bytes for a page of several with a large document. */
  const servePages = (items: readonly { readonly id: string; readonly large?: boolean }[]) =>
    stage.answer((_, response) => {
      const [query] = queries().slice(-1);
      const [limit, page] = [Number(query?.get('limit')), Number(query?.get('offset') ?? 0)];
      const shown = items.slice(page * limit, (page + 1) * limit);
      const isTooLarge = shown.length > 1 && shown.some(({ large }) => large);
      response.end(isTooLarge ? Buffer.alloc(4_194_305, ' ') : JSON.stringify({ items: shown }));
    });
  const listedFrom = async (place?: string) =>
    (await Array.fromAsync(client.pendingInFolder('f1', within(), place))).flatMap(({ items }) =>
      items.map(({ id }) => id),
    );
  const limits = () => queries().map((query) => Number(query.get('limit')));

  test('a platform without cursors is asked for the next page by its number', async () => {
    servePages(Array.from({ length: 40 }, (_, n) => listed(`d${n}`)));
    expect(await listedFrom()).toHaveLength(40);
    expect(received).toHaveLength(2);
  });

  test('a page that is too large is asked for in smaller ones, until the large documents are over', async () => {
    const items = Array.from({ length: 80 }, (_, n) => listed(`d${n}`, { large: n === 31 }));
    servePages(items);
    expect(await listedFrom()).toEqual(items.map(({ id }) => id));
    expect(limits()).toEqual([25, 25, 5, 5, 1, 1, 1, 1, 1, 5, 5, 5, 25, 25]);
  });

  test('a smaller page begins at the same cursor', async () => {
    stage.answer((_, response) => {
      const [query] = queries().slice(-1);
      const cursor = Number(query?.get('cursor') ?? 0);
      const isTooLarge = cursor === 1 && query?.get('limit') !== '5';
      const page = { items: [listed(`d${cursor}`)], nextCursor: cursor < 2 ? String(cursor + 1) : null };
      response.end(isTooLarge ? Buffer.alloc(4_194_305, ' ') : JSON.stringify(page));
    });
    expect(await listedFrom()).toEqual(['d0', 'd1', 'd2']);
    expect(queries().map((query) => query.get('cursor'))).toEqual([null, '1', '1', '2']);
    expect(limits()).toEqual([25, 25, 5, 5]);
  });

  test('one document that is too large by itself is an outage', async () => {
    stage.answer((_, response) => response.end(Buffer.alloc(4_194_305, ' ')));
    expect(await failureOf(listedFrom())).toBeInstanceOf(PlatformUnreachable);
    expect(limits()).toEqual([25, 5, 1]);
  });

  test('a listing goes on at the place of any page', async () => {
    const items = Array.from({ length: 60 }, (_, n) => listed(`d${n}`, { large: n === 31 }));
    servePages(items);
    const pages = await Array.fromAsync(client.pendingInFolder('f1', within()));
    expect(pages.map(({ place }) => place).slice(0, 3)).toEqual([undefined, 'position 25', 'position 30']);
    // A page by its number begins at a multiple of its size: some documents are listed again.
    expect((await listedFrom('position 30'))[0]).toBe('d25');
    received.length = 0;
    stage.answerJson({ items: [], nextCursor: null });
    await listedFrom('cursor c 1');
    expect(queries()[0]?.get('cursor')).toBe('c 1');
  });

  test('a tag is found by label and value among the pending documents of a signer', async () => {
    const items = [
      listed('d1', { tags: [{ label: 'other', value: 'j1' }] }),
      listed('d2', { tags: [{ label: 'job', value: 'j2' }] }),
      listed('d3', { tags: [{ label: 'job', value: 'j1' }] }),
    ];
    stage.answerJson({ items, nextCursor: 'more' });
    expect(await client.findByTag({ tag, text: '52998224725' }, within())).toEqual(['d3']);
    expect(Object.fromEntries(queries()[0] ?? [])).toEqual({
      ...{ status: 'Pending', q: '52998224725', limit: '50' },
    });
  });

  test('more pending documents than can be looked at are an outage, not the absence of one', async () => {
    stage.answerJson({ items: [listed('d1')], nextCursor: 'more' });
    expect(await failureOf(client.findByTag({ tag, text: '52998224725' }, within()))).toBeInstanceOf(
      PlatformUnreachable,
    );
    expect(received).toHaveLength(20);
  });

  test('a search ends with the documents that are older than its beginning', async () => {
    const creationDate = new Date(stage.now() - 61_000).toISOString();
    stage.answerJson({ items: [listed('d1', { creationDate })], nextCursor: 'more' });
    const search = { tag, text: '52998224725', begunAtMs: stage.now() };
    expect(await client.findByTag(search, within())).toEqual([]);
    expect(await client.findEnded(search, within())).toEqual([]);
    expect(received).toHaveLength(2);
  });

  test('ended documents are looked for among the newest only', async () => {
    stage.answerJson({ items: [listed('d1')], nextCursor: 'more' });
    expect(await client.findEnded({ tag, text: '52998224725' }, within())).toEqual([]);
    expect(received).toHaveLength(5);
  });
});

test.each([
  ['https://p.example/documents/document/key/K1/action?ticket=T1', { documentKey: 'K1', ticket: 'T1' }],
  ['https://p.example/key/K%2F1/sign/a1?ticket=T%2B1&lang=pt#x', { documentKey: 'K/1', ticket: 'T+1' }],
  ['https://p.example/key/K1/action?lang=pt&ticket=T1', { documentKey: 'K1', ticket: 'T1' }],
  ['https://p.example/document/key/K1/action', undefined],
  ['https://p.example/document/key/K1/action?ticket=', undefined],
  ['https://p.example/document/action?ticket=T1', undefined],
  ['https://p.example/key//action?ticket=T1', undefined],
  ['https://p.example/key/%E0%A4%A/action?ticket=T1', undefined],
  [`https://p.example/key/K1/${'a'.repeat(9_000)}?ticket=T1`, undefined],
  ['', undefined],
])('an action URL has both a key and a ticket, or is none: %s', (url, parts) => {
  expect(parseActionUrl(url)).toEqual(parts);
});
