import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type Creation, createOnce, findCreated } from '../../../shared/platform/create-once.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../shared/platform/errors.ts';
import { clientBeforeServer, failureOf } from './a-client.ts';

const { client, answer, received, within } = clientBeforeServer();

const TAG = { label: 'test', value: 'one' };

/** A platform that creates one document of an upload, as the real one does. */
const platform = {
  /** Documents by their ids, with the upload of each. */
  documents: new Map<string, { readonly uploadId: string; status: string }>(),
  uploads: 0,
  /** Creations whose answers are lost, from the next one on. */
  lost: 0,
  isDown: false,
};
afterEach(() => {
  platform.documents.clear();
  Object.assign(platform, { uploads: 0, lost: 0, isDown: false });
});

const reply = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status).end(JSON.stringify(value));

answer((_, response, { call, text }) => {
  if (platform.isDown) return response.destroy();
  if (call === 'POST /api/uploads') {
    platform.uploads += 1;
    return reply(response, { id: `upload-${platform.uploads}` });
  }
  if (call !== 'POST /api/documents') {
    const status = new URLSearchParams(call.slice(call.indexOf('?'))).get('status');
    const found = [...platform.documents].filter(([, each]) => !status || each.status === status);
    return reply(response, { items: found.map(([id]) => ({ id, tags: [TAG] })) });
  }
  const uploadId: string = JSON.parse(text).files[0].id;
  if (uploadId === 'too-old' || [...platform.documents.values()].some((each) => each.uploadId === uploadId))
    return reply(response, { code: 'UploadNotFound', message: 'There is no such upload.' }, 422);
  const id = `document-${platform.documents.size + 1}`;
  platform.documents.set(id, { uploadId, status: 'Pending' });
  platform.lost -= 1;
  return platform.lost >= 0 ? response.destroy() : reply(response, [{ documentId: id }]);
});

const signers = [{ name: 'Ana', cpf: '12345678909', email: 'ana@example.com', step: 1 }];
const deadline = within();
const create = (more: Partial<Creation> = {}) =>
  createOnce(
    client,
    {
      document: { contentType: 'application/pdf', signers, disableNotifications: true },
      search: { tag: TAG, text: 'a.pdf' },
      upload: () => client.uploadFile({ bytes: Buffer.from('a'), fileName: 'a.pdf' }, deadline),
      ...more,
    },
    deadline,
  );
const calls = () => received.map(({ call }) => call.replace(/\?.*status=(\w+).*/, ' $1').replace(/\?.*/, ''));
const [UPLOAD, CREATE, PENDING, ENDED] = [
  'POST /api/uploads',
  'POST /api/documents',
  'GET /api/documents Pending',
  'GET /api/documents',
];

describe('a document is created once', () => {
  test('with an upload and a creation, and no search', async () => {
    expect(await create()).toBe('document-1');
    expect(calls()).toEqual([UPLOAD, CREATE]);
  });

  test('where the answer is lost and there are further attempts', async () => {
    platform.lost = 1;
    expect(await create({ maxAttempts: 3 })).toBe('document-1');
    expect(calls()).toEqual([UPLOAD, CREATE, PENDING]);
    expect(platform.documents.size).toBe(1);
  });

  test('where the answer of the last attempt is lost, and nobody comes after it', async () => {
    platform.lost = 1;
    expect(await create({ searchesLast: true })).toBe('document-1');
  });

  test('where the answer is lost, and the next run has the upload', async () => {
    platform.lost = 1;
    expect(await failureOf(create())).toBeInstanceOf(PlatformUnreachable);
    expect(calls()).toEqual([UPLOAD, CREATE]);
    const uploaded = { uploadId: 'upload-1', fileName: 'a.pdf' };
    expect(await create({ uploaded, isRepetition: true })).toBe('document-1');
    expect(calls().slice(2)).toEqual([CREATE, PENDING]);
    expect(platform.documents.size).toBe(1);
  });

  test('where it has ended before it is searched for', async () => {
    platform.documents.set('ended', { uploadId: 'upload-1', status: 'Concluded' });
    const uploaded = { uploadId: 'upload-1', fileName: 'a.pdf' };
    expect(await create({ uploaded, isRepetition: true })).toBe('ended');
    expect(calls()).toEqual([CREATE, PENDING, ENDED]);
  });
});

test('a repetition whose upload is too old uploads the file again', async () => {
  const uploaded = { uploadId: 'too-old', fileName: 'a.pdf' };
  expect(await create({ uploaded, isRepetition: true })).toBe('document-1');
  expect(calls()).toEqual([CREATE, PENDING, ENDED, UPLOAD, CREATE]);
});

test('a refusal of the first run is the answer', async () => {
  const uploaded = { uploadId: 'too-old', fileName: 'a.pdf' };
  expect(await failureOf(create({ uploaded, maxAttempts: 3 }))).toBeInstanceOf(PlatformRefused);
  expect(calls()).toEqual([CREATE]);
});

test('a failure that lasts is thrown, also where the search fails', async () => {
  platform.isDown = true;
  expect(await failureOf(create({ searchesLast: true }))).toBeInstanceOf(PlatformUnreachable);
});

test('another document that serves as well is taken before anything is uploaded', async () => {
  expect(await create({ findOther: async () => 'other' })).toBe('other');
  expect(calls()).toEqual([]);
});

test('documents that are known are left out of a search, pending and ended ones', async () => {
  platform.documents.set('known', { uploadId: '1', status: 'Pending' });
  platform.documents.set('lost', { uploadId: '2', status: 'Canceled' });
  const unknownOf = async (ids: readonly string[]) => ids.filter((id) => id !== 'known');
  const search = { tag: TAG, text: 'a.pdf' };
  expect(await findCreated(client, { ...search, unknownOf }, deadline)).toEqual(['lost']);
  expect(await findCreated(client, search, deadline)).toEqual(['known']);
});
