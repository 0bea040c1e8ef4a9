import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fileKey } from '../../../../functions/credentials/items/domain/item.ts';
import { openItemFile } from '../../../../functions/credentials/items/domain/open-file.ts';
import { institutes } from '../../../../functions/credentials/tenants/domain/organization.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { getActionDetails } from '../../../../functions/documents/domain/signing/action-url.ts';
import { handler as createVersion } from '../../../../functions/documents/endpoints/documents/create-version.ts';
import { handler as deleteDocument } from '../../../../functions/documents/endpoints/documents/delete-document.ts';
import { handler as createUpload } from '../../../../functions/documents/endpoints/uploads/create-upload-from-bytes.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { files } from '../../../../shared/files/files.ts';
import { countCalls } from '../../../measure/calls.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ANA, BRUNO, flowStage } from './stage.ts';

const stage = await forFile(flowStage());
afterEach(() => {
  stage.up();
  vi.restoreAllMocks();
});

const within = () => deadlineIn(60_000, Date.now);
const problemsOf = async (id: string) => (await stage.degree(id)).files.map(({ problem }) => problem);

describe('a document that waits', () => {
  test('is looked at less and less often, and an event does not change that', async () => {
    const { id } = await stage.handedOver();
    const waits: unknown[] = [];
    for (const waitSeconds of [60, 120, 3_000, 3_600]) {
      expect(await stage.look(id, { waitSeconds })).toBe('forgotten');
      waits.push(await stage.waitOf('look', id));
    }
    expect(waits).toEqual([120, 240, 3_600, 3_600]);
    await stage.look(id, 'event');
    expect(await stage.waitOf('look', id)).toBe(3_600);
  });

  test('costs two calls of a look, and one of an event', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const { id } = await stage.handedOver();
    // Our platform runs in the same process, so it makes no calls here.
    stage.platform.interfere = () => ({
      status: 200,
      body: JSON.stringify({ id: 'd', status: 'Pending', flowActions: [] }),
    });
    expect((await countCalls(() => stage.look(id))).byCommand).toEqual({ GetItem: 1, PutItem: 1 });
    expect((await countCalls(() => stage.look(id, 'event'))).byCommand).toEqual({ GetItem: 1 });
    const [documentId = ''] = await stage.documentsOf(id);
    const received = await countCalls(() =>
      stage.event({ type: 'DocumentSigned', data: { id: documentId } }),
    );
    expect(received.byCommand).toEqual({ GetItem: 1, BatchGetItem: 1, PutItem: 1, SendMessageBatch: 1 });
    await stage.run();
  });

  test('is looked at soon after an event that found the platform down', async () => {
    const { id } = await stage.handedOver();
    await stage.look(id, { waitSeconds: 3_600 });
    stage.down();
    await stage.look(id, 'event');
    expect(await stage.waitOf('look', id)).toBe(60);
    await stage.look(id, { waitSeconds: 60 });
    expect(await stage.waitOf('look', id)).toBe(120);
    stage.up();
    await stage.signAll(id);
    await stage.look(id, { waitSeconds: 120 });
    expect((await stage.degree(id)).state).toBe('Concluded');
  });
});

test('a new version of a document ends the links to sign it, and the next look shows links that open it', async () => {
  const { id } = await stage.handedOver();
  const [documentId = ''] = await stage.documentsOf(id);
  const degree = await stage.degree(id);
  const linksOf = async () =>
    (await stage.degree(id)).files.map(({ document }) => document?.people?.[0]?.url);
  const isOpenedBy = async (link: string | null | undefined) => {
    const [, key = '', ticket = ''] = /\/key\/([^/]+)\/action\?ticket=(.+)$/.exec(link ?? '') ?? [];
    return getActionDetails(key, ticket, Date.now()).then(
      ({ action }) => action.canAct,
      () => false,
    );
  };
  const [first, other] = await linksOf();
  await stage.look(id);
  expect(await linksOf()).toEqual([first, other]);
  const [diploma] = degree.files;
  const content = diploma && (await files('credentials').get(fileKey(degree, diploma)));
  const bytes = Buffer.from(content ? await text(content.stream) : '').toString('base64');
  const headers = { 'X-API-Key': process.env.Signer__ApiKey ?? '' };
  const upload = (await call(createUpload, { headers, json: { bytes } })).json() as { id: string };
  const file = { id: upload.id, name: 'diploma.xml', contentType: 'application/xml' };
  const versioned = await call(createVersion, { headers, params: { id: documentId }, json: { file } });
  expect([versioned.status, await isOpenedBy(first)]).toEqual([200, false]);
  await stage.look(id);
  const [renewed, same] = await linksOf();
  expect([same, await isOpenedBy(renewed), await isOpenedBy(same)]).toEqual([other, true, true]);
});

describe('a signed file', () => {
  test('that is another than the one that was handed over is not taken, and looked at once a day at last', async () => {
    const { id } = await stage.handedOver();
    const degree = await stage.degree(id);
    const [diploma] = degree.files;
    if (!diploma) throw new Error('A degree has two files.');
    await files('credentials').put(fileKey(degree, diploma), Buffer.from('<Diploma/>'), {
      contentType: 'application/xml',
    });
    await stage.signAll(id);
    const waits: unknown[] = [];
    for (const waitSeconds of [60, 3_600, 80_000]) {
      await stage.look(id, { waitSeconds });
      waits.push(await stage.waitOf('look', id));
    }
    expect(waits).toEqual([120, 7_200, 86_400]);
    expect(await stage.degree(id)).toMatchObject({
      state: 'Created',
      files: [
        {
          signed: null,
          problem:
            'The signed file does not verify, and was not taken: It is another file than the one that was handed over. Ask who replaced it there.',
        },
        { signed: { length: expect.any(Number) }, problem: null },
      ],
    });
  });

  // A platform may render the signed file anew for each download:
  //
  //   sweep  |--reads: not signed-- downloads A -- stores A -- Concluded, names A --|
  //   event    |--reads: not signed-- downloads B ........................ stores B -- refused: reads Concluded --|
  test('that the degree names stays as it is, whatever a slower look downloads and stores', async () => {
    const { id } = await stage.handedOver();
    await stage.signAll(id);
    let isFirst = true;
    const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    stage.platform.interfere = async (named) => {
      if (!named.endsWith('/content') || !isFirst) return undefined;
      isFirst = false;
      reached.resolve();
      return { status: 200, body: await release.promise };
    };
    const slower = stage.look(id, 'event');
    await reached.promise;
    await stage.look(id);
    const degree = await stage.degree(id);
    expect(degree.state).toBe('Concluded');
    const signed = async () => text((await openItemFile(degree, 'diploma', 'Signed')).stream);
    const taken = await signed();
    release.resolve(`${taken}\n`);
    await slower;
    expect([await stage.degree(id), await signed()]).toEqual([degree, taken]);
  });

  test('is judged by those who were asked, though the institute names others by now', async () => {
    const { id, instituteId } = await stage.handedOver();
    const institute = await institutes.get(instituteId);
    if (!institute) throw new Error('no institute');
    const carla = { name: 'Carla Dias', cpf: '11144477735', email: 'carla@sandbox.example', step: 1 };
    const changed = await institutes.change(institute, { signers: [carla] });
    await stage.signAll(id);
    await stage.look(id);
    expect((await stage.degree(id)).state).toBe('Concluded');
    await institutes.change(changed, { signers: institute.signers });
  });
});

test('a document that waits again, as a new version, has no problem any more', async () => {
  const { id } = await stage.handedOver();
  stage.platform.interfere = () => ({
    status: 200,
    body: JSON.stringify({ id: 'd', status: 'Refused', flowActions: [] }),
  });
  await stage.look(id);
  expect(await problemsOf(id)).toEqual(Array(2).fill('The document is Refused at the signature platform.'));
  stage.down();
  await stage.look(id);
  expect(await problemsOf(id)).not.toContain(null);
  stage.up();
  await stage.look(id);
  expect(await problemsOf(id)).toEqual([null, null]);
});

describe('a document that nobody can sign any more', () => {
  const end: Record<string, (documentId: string) => Promise<unknown>> = {
    Refused: (documentId) =>
      fetch(`${stage.platform.url}/api/documents/${documentId}/refusal`, {
        method: 'POST',
        headers: { 'x-api-key': process.env.Signer__ApiKey ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'The course is wrong.', identifier: ANA }),
      }),
    Canceled: (documentId) => stage.client.cancelDocument(documentId, 'The course is wrong.', within()),
    Expired: async (documentId) => {
      const document = await documentItems.get(documentId);
      if (document) await documentItems.change(document, { expiresAtMs: Date.now() - 1 });
    },
    gone: (documentId) =>
      call(deleteDocument, {
        method: 'DELETE',
        params: { id: documentId },
        headers: { 'X-API-Key': process.env.Signer__ApiKey ?? '' },
      }),
  };
  const reasons = {
    Refused: 'The document is Refused at the signature platform: The course is wrong.',
    Canceled: 'The document is Canceled at the signature platform: The course is wrong.',
    Expired: expect.stringContaining('The document is Expired at the signature platform'),
    gone: expect.stringContaining('The document is gone from the signature platform: '),
  };

  test.each(Object.entries(reasons))(
    'because it is %s leaves the degree as it is, with the reason, and is looked at once a day at last',
    async (how, problem) => {
      const { id } = await stage.handedOver();
      const [diploma = '', documentation = ''] = await stage.documentsOf(id);
      await end[how]?.(diploma);
      await stage.look(id, { waitSeconds: 80_000 });
      expect([(await stage.degree(id)).state, await problemsOf(id)]).toEqual(['Created', [problem, null]]);
      expect(await stage.waitOf('look', id)).toBe(86_400);
      // The other one is still taken, by its event.
      await stage.sign(documentation, ANA);
      await stage.sign(documentation, BRUNO);
      await stage.look(id, 'event');
      expect((await stage.fileOf(id, 'academic-documentation'))?.signed).not.toBeNull();
      expect((await stage.degree(id)).state).toBe('Created');
      expect(await stage.waitOf('look', id)).toBe(86_400);
    },
  );
});
