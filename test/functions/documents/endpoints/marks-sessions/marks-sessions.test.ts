import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CreateDocuments } from '../../../../../functions/documents/contract/create-document.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { handler as createDocuments } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/marks-sessions/create-marks-session.ts';
import { handler as createOfDocuments } from '../../../../../functions/documents/endpoints/marks-sessions/create-marks-session-of-documents.ts';
import { handler as getPage } from '../../../../../functions/documents/endpoints/marks-sessions/get-marks-page.ts';
import { handler as get } from '../../../../../functions/documents/endpoints/marks-sessions/get-marks-session.ts';
import { handler as getContent } from '../../../../../functions/documents/endpoints/marks-sessions/get-marks-session-content.ts';
import { handler as place } from '../../../../../functions/documents/endpoints/marks-sessions/place-marks.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import { call } from '../../../../requests/http-event.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../own-organization.ts';
import { SIGNER } from '../../sample-documents.ts';

const HOUR_MS = 3_600_000;
const PDF = await plainPdf('table');

const uploadOf = async (organizationId: string): Promise<string> => {
  const file = { name: 'contract.pdf', contentType: 'application/pdf', content: PDF };
  return (await receiveUpload({ organizationId, ...file }, Date.now())).id;
};

let orgId: string;
let key: string;
let uploadId: string;
beforeEach(async () => {
  ({ orgId, key } = await ownOrganization());
  uploadId = await uploadOf(orgId);
});
afterEach(() => {
  vi.useRealTimers();
});

const headersOf = (apiKey: string) => ({ 'X-API-Key': apiKey });
const markOn = (file: string) => ({
  ...{ action: 0, type: 'SignatureVisualRepresentation', uploadId: file, pageNumber: 1 },
  ...{ topLeftX: 72.5, topLeftY: 700, width: 180, height: 60 },
});

/** A session of this request, with the ticket of its page. */
async function begin(json: object, handler: Endpoint = create) {
  const answer = await call(handler, { json, headers: headersOf(key) });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { id, embedUrl } = answer.json() as { id: string; embedUrl: string };
  const ticket = new URL(embedUrl).searchParams.get('ticket') ?? '';
  const read = async (apiKey = key) => call(get, { params: { id }, headers: headersOf(apiKey) });
  return {
    id,
    ticket,
    read,
    dataOf: async () => ((await read()).json() as { data: object }).data,
    place: (marks: readonly object[], offered = ticket) =>
      call(place, { params: { id }, json: { ticket: offered, marks } }),
    page: (offered = ticket) => call(getPage, { params: { id }, query: { ticket: offered } }),
    content: (fileId: string, offered = ticket, headers = {}) =>
      call(getContent, { query: { id, fileId, ticket: offered }, headers }),
  };
}

const request = () => ({
  files: [{ id: uploadId }],
  flowActions: [{ type: 'Signer', user: { name: 'Ana' } }],
});

describe('a marks session', () => {
  test('answers its request with the marks of its page, and a document is created of it as it is', async () => {
    const json = {
      files: [{ id: uploadId }],
      flowActions: [SIGNER],
      tags: ['contract'],
      description: 'Read it.',
    };
    const session = await begin(json, createOfDocuments);
    expect((await session.read()).json()).toMatchObject({ isPlaced: false });
    expect((await session.place([markOn(uploadId)])).status).toBe(204);
    const { action: _, ...mark } = markOn(uploadId);
    const data = await session.dataOf();
    expect(data).toMatchObject({ description: 'Read it.', flowActions: [{ prePositionedMarks: [mark] }] });
    expect(CreateDocuments.safeParse(data).success).toBe(true);
    const made = await call(createDocuments, { json: data, headers: headersOf(key) });
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('documentId')]);
  });

  test('begins with the marks of its request, from either corner, and the last save counts', async () => {
    const lower = { page: 2, x: 10, y: 20, width: 100, height: 40 };
    const session = await begin({
      files: [{ id: uploadId }],
      isEnvelope: false,
      signatureType: 'None',
      flowActions: [
        { id: 'a', type: 'Signer', user: { name: 'Ana' }, prePositionedMarks: [lower] },
        {
          type: 'SignRule',
          ruleName: 'Directors',
          numberRequiredSignatures: 1,
          signatureInitialsMode: 'Required',
        },
      ],
    });
    const page = await session.page();
    expect([page.status, page.headers['content-security-policy']]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'self' http://localhost:*"),
    ]);
    expect(page.text).toContain('isFromBottom');
    expect(page.text).toContain('Directors');
    expect(await session.dataOf()).toMatchObject({
      flowActions: [{ id: 'a', prePositionedMarks: [lower] }, {}],
    });
    // Nobody looked at that file: its mark comes back as it was given.
    const untouched = {
      ...markOn(uploadId),
      pageNumber: 2,
      topLeftX: 10,
      topLeftY: 20,
      width: 100,
      height: 40,
    };
    await session.place([markOn(uploadId), { ...markOn(uploadId), action: 1 }]);
    await session.place([{ ...untouched, isFromBottom: true }]);
    expect(await session.dataOf()).toMatchObject({
      flowActions: [{ prePositionedMarks: [lower] }, { prePositionedMarks: [] }],
    });
  });

  test('keeps the file of a mark from the lower left that nobody looked at: each document has one mark', async () => {
    const second = await uploadOf(orgId);
    const lower = { page: 1, x: 10, y: 20, width: 100, height: 40 };
    const flowActions = [{ ...SIGNER, prePositionedMarks: [lower] }];
    const session = await begin(
      { files: [{ id: uploadId }, { id: second }], flowActions },
      createOfDocuments,
    );
    // The page has one of them for each file, and knows the pages of the first file only.
    const untouched = { ...markOn(second), topLeftX: 10, topLeftY: 20, width: 100, height: 40 };
    await session.place([markOn(uploadId), { ...untouched, isFromBottom: true }]);
    const made = await call(createDocuments, { json: await session.dataOf(), headers: headersOf(key) });
    const ids = (made.json() as { documentId: string }[]).map(({ documentId }) => documentId);
    const [one, other] = await Promise.all(ids.map((id) => documentItems.get(id)));
    expect(one?.flow[0]?.marks).toMatchObject([{ from: 'top', x: 72.5, uploadId }]);
    expect(other?.flow[0]?.marks).toEqual([{ ...lower, uploadId: second }]);
  });

  test('shows its files to the holder of its ticket alone, in parts too', async () => {
    const [session, other] = [await begin(request()), await begin(request())];
    const foreign = await uploadOf(orgId);
    expect((await session.content(uploadId)).bytes).toEqual(PDF);
    const part = await session.content(uploadId, session.ticket, { range: 'bytes=1-3' });
    expect([part.status, part.text]).toEqual([206, 'PDF']);
    const refused = [
      await session.content(foreign),
      await session.content(uploadId, other.ticket),
      await session.place([], other.ticket),
      await session.place([], ''),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 400]);
    expect((await session.page(other.ticket)).status).toBe(410);
  });

  test('does not exist for another organization, nor after an hour', async () => {
    const session = await begin(request());
    expect((await session.read((await ownOrganization()).key)).status).toBe(404);
    vi.useFakeTimers({ now: Date.now() + HOUR_MS + 1, toFake: ['Date'] });
    const after = [await session.read(), await session.place([]), await session.page()];
    expect(after.map(({ status }) => status)).toEqual([404, 422, 410]);
  });

  test.each([
    ['of an action that is not there', { action: 1 }],
    ['on a file that is not there', { uploadId: '44444444-4444-4444-8444-444444444444' }],
    ['smaller than the contract takes', { width: 9 }],
    ['on a page that no document has', { pageNumber: 0 }],
  ])('refuses a mark %s', async (_, wrong) => {
    const session = await begin(request());
    expect((await session.place([{ ...markOn(uploadId), ...wrong }])).status).toBe(400);
  });

  test('refuses more marks than a document takes, and files of somebody else', async () => {
    const session = await begin(request());
    expect((await session.place(Array.from({ length: 51 }, () => markOn(uploadId)))).status).toBe(400);
    key = (await ownOrganization()).key;
    const answer = await call(create, { json: request(), headers: headersOf(key) });
    expect(answer.json()).toMatchObject({ code: 'UploadNotFound' });
  });
});
