import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  DocumentKeyModel,
  DocumentKeyStatusModel,
  DocumentModel,
  DocumentSigners,
  FoundDocumentModel,
} from '../../../../functions/pki/documents/contract.ts';
import { documents } from '../../../../functions/pki/documents/domain/document.ts';
import { creatingKey, documentKeys } from '../../../../functions/pki/documents/domain/document-keys.ts';
import { handler as allocate } from '../../../../functions/pki/documents/endpoints/allocate-document-key.ts';
import { handler as allocateBatch } from '../../../../functions/pki/documents/endpoints/allocate-document-keys.ts';
import { handler as byKey } from '../../../../functions/pki/documents/endpoints/get-document-by-key.ts';
import { handler as readKey } from '../../../../functions/pki/documents/endpoints/get-document-key.ts';
import { handler as signers } from '../../../../functions/pki/documents/endpoints/get-document-signers.ts';
import { handler as unused } from '../../../../functions/pki/documents/endpoints/get-unused-document-keys.ts';
import { removeFiles } from '../../../../functions/pki/domain/remove-files.ts';
import { forgetSession } from '../../../../functions/pki/signature-sessions/domain/forget-session.ts';
import {
  documentFolder,
  sessionFolder,
  signatureSessions,
} from '../../../../functions/pki/signature-sessions/domain/session.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../shared/files/files.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { authenticationStage } from '../authentication/stage.ts';
import { aSession, inline, makeFilesOf, signing, statusOf } from '../signature-sessions/stage.ts';
import {
  anotherKey,
  bytesOf,
  CONTENT,
  finishing,
  inJson,
  preparing,
  reading,
  signatureOver,
  signed,
  XML,
} from '../signatures/stage.ts';

const stage = await forFile(authenticationStage());
const ana = stage.holder();
const other = stage.holderWith('rsa2048');
const KEY = { 'X-API-Key': SANDBOX_KEY };

type Sent = { params?: Record<string, string>; query?: Record<string, string>; json?: unknown };

/** The body of an answer with this status. */
async function body(endpoint: typeof allocate, sent: Sent = {}, headers: Record<string, string> = KEY) {
  const method = sent.params || sent.query ? 'GET' : 'POST';
  const answer = await call(endpoint, { method, ...sent, headers });
  expect(answer.status).toBe(200);
  return answer.json();
}

const newKey = async (json?: unknown, headers = KEY) =>
  DocumentKeyModel.parse(await body(allocate, { json }, headers));
const statusOfKey = async (key: string, headers = KEY) =>
  DocumentKeyStatusModel.parse(await body(readKey, { params: { key } }, headers));
const unusedBy = async (metadataName: string, metadataValue: string, headers = KEY) =>
  z.array(DocumentKeyModel).parse(await body(unused, { query: { metadataName, metadataValue } }, headers));

describe('a document key', () => {
  test('is given out once, waits for its document, and then names it in any writing', async () => {
    const value = `Contrato ${Math.random()}`;
    const provisionalMetadata = { Número: [value, 'b'] };
    const { key, formattedKey } = await newKey({ provisionalMetadata });
    expect(formattedKey.replaceAll('-', '')).toBe(key);
    expect(await statusOfKey(key)).toEqual({
      ...{ found: true, formattedKey, hasDocument: false, provisionalMetadata, document: null },
    });
    expect(await unusedBy('NÚMERO', value.toUpperCase())).toEqual([{ key, formattedKey }]);
    expect(await body(byKey, { params: { key } })).toEqual({ found: false, document: null });

    const document = await signed(ana, { file: inJson(CONTENT), documentKey: formattedKey });
    expect(document).toMatchObject({ key, formattedKey, metadata: provisionalMetadata });
    for (const written of [key, formattedKey, key.toLowerCase()])
      expect(FoundDocumentModel.parse(await body(byKey, { params: { key: written } }))).toMatchObject({
        found: true,
        document: { id: document.id },
      });
    expect(await statusOfKey(key)).toMatchObject({ hasDocument: true, document: { id: document.id } });
    expect(await unusedBy('Número', value)).toEqual([]);
    expect(await preparing(ana, { file: inJson(CONTENT), documentKey: key })).toMatchObject({
      ...{ status: 422, code: 'EntityAlreadyExists' },
    });
  });

  test('is of one document, also where two are signed with it at one moment', async () => {
    const { key } = await newKey();
    const started = await Promise.all(
      [1, 2].map(() => preparing(ana, { file: inJson(CONTENT), documentKey: key })),
    );
    const done = await Promise.all(started.map((each) => finishing(each.state, signatureOver(each, ana))));
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const winner = done.find(({ status }) => status === 200);
    expect(await statusOfKey(key)).toMatchObject({ document: { id: winner?.id } });
  });

  test('is not given twice: a key that exists is refused, and of hundreds none is the same', async () => {
    const { writes } = creatingKey({ application: 'sandbox' }, null);
    await commit(writes);
    await expect(commit(writes)).rejects.toMatchObject({ name: 'AlreadyExists' });
    const batches = await Promise.all([1, 2, 3].map(() => body(allocateBatch, { json: { count: 100 } })));
    const keys = z.array(DocumentKeyModel).parse(batches.flat());
    expect([keys.length, new Set(keys.map(({ key }) => key)).size]).toEqual([300, 300]);
  });

  test('comes in batches with metadata of up to fifty values, all listed as unused', async () => {
    const value = `v${Math.random()}`;
    const values = Array.from({ length: 49 }, (_, at) => `${at}`);
    const json = { count: 5, provisionalMetadata: { a: [value], b: values } };
    const keys = z.array(DocumentKeyModel).parse(await body(allocateBatch, { json }));
    const listed = await unusedBy('a', value);
    expect(listed.map(({ key }) => key)).toEqual(keys.map(({ key }) => key).toSorted());
  });

  test('is listed as unused without a name and a value too, whatever its metadata, until it has a document', async () => {
    const headers = { ...KEY, ...(await anotherKey()) };
    const allUnused = async () =>
      z
        .array(DocumentKeyModel)
        .parse(await body(unused, { query: {} }, headers))
        .map(({ key }) => key);
    const alone = await newKey(undefined, headers);
    const named = await newKey({ provisionalMetadata: { a: ['b'] } }, headers);
    expect(await allUnused()).toEqual([alone.key, named.key].toSorted());
    const half = await call(unused, { method: 'GET', query: { metadataName: 'a' }, headers });
    expect([half.status, half.json()]).toMatchObject([400, { details: { field: 'metadataValue' } }]);
    const started = await preparing(ana, { file: inJson(CONTENT), documentKey: named.key }, headers);
    await finishing(started.state, signatureOver(started, ana), headers);
    expect(await allUnused()).toEqual([alone.key]);
  });

  test('is of one application', async () => {
    const value = `v${Math.random()}`;
    const { key } = await newKey({ provisionalMetadata: { a: [value] } });
    const foreign = { ...KEY, ...(await anotherKey()) };
    expect(await statusOfKey(key, foreign)).toMatchObject({ found: false, provisionalMetadata: null });
    expect(await unusedBy('a', value, foreign)).toEqual([]);
    expect(await preparing(ana, { file: inJson(CONTENT), documentKey: key }, foreign)).toMatchObject({
      code: 'EntityNotFound',
    });
  });

  test.each<[string, unknown, number]>([
    ['no body', undefined, 200],
    ['an empty body', {}, 200],
    ['null', { provisionalMetadata: null }, 200],
    ['nothing in it', { provisionalMetadata: {} }, 200],
    ['no values', { provisionalMetadata: { a: [] } }, 200],
    ['a name of other characters', { provisionalMetadata: { 'a.b': ['1'] } }, 400],
    ['a name of 51', { provisionalMetadata: { ['a'.repeat(51)]: ['1'] } }, 400],
    ['a value of 501', { provisionalMetadata: { a: ['1'.repeat(501)] } }, 400],
    ['a value that is no list', { provisionalMetadata: { a: '1' } }, 400],
    ['more than fifty values', { provisionalMetadata: { a: Array(51).fill('1') } }, 400],
  ])('with %s is answered with its status', async (_, json, status) => {
    const answer = await call(allocate, {
      method: 'POST',
      headers: KEY,
      ...(json !== undefined && { json }),
    });
    expect(answer.status).toBe(status);
  });

  test.each([0, 101, 1.5, null, 'x'])('a batch of %s is malformed', async (count) => {
    expect((await call(allocateBatch, { headers: KEY, json: { count } })).status).toBe(400);
  });
});

describe('the signers of a document', () => {
  const signersOf = async (id: unknown) =>
    DocumentSigners.parse(await body(signers, { params: { id: String(id) } }));

  test('are read from its file: of a PDF, of a CMS and of XML', async () => {
    const first = await bytesOf(await signed(other, { file: inJson(await plainPdf('table')) }));
    const pdf = await signersOf((await signed(ana, { file: inJson(first) })).id);
    expect(pdf).toMatchObject([{ signatureFieldName: 'Signature1' }, { signatureFieldName: 'Signature2' }]);
    const cms = await signersOf((await signed(ana, { file: inJson(CONTENT) })).id);
    const xml = await signersOf((await signed(ana, { file: inJson(XML) })).id);
    for (const all of [pdf, cms, xml])
      for (const { certificate, messageDigest, signature, date, validationResults } of all) {
        expect(certificate?.pkiBrazil.cpf).toBe('52998224725');
        expect(messageDigest).toMatchObject({ algorithm: 'SHA256' });
        expect(Buffer.from(signature.value, 'base64')).toHaveLength(256);
        expect(signature.algorithmIdentifier.algorithm).toBe('SHA256WithRSA');
        expect(Date.parse(date ?? '')).toBeGreaterThan(Date.now() - 60_000);
        expect(validationResults).toBeNull();
      }
  });

  test('of a document of another application are not told', async () => {
    const { id } = await signed(ana, { file: inJson(CONTENT) });
    const foreign = await anotherKey();
    const answer = await call(signers, { method: 'GET', params: { id: String(id) }, headers: foreign });
    expect(answer.json()).toMatchObject({ code: 'DocumentNotFound' });
  });
});

describe('the documents of a signature session', () => {
  async function aSignedSession() {
    const session = await aSession([inline('one', 'one.txt'), inline(await plainPdf('table'), 'two.pdf')]);
    await signing(session, ana, 0);
    await signing(session, ana, 1);
    return session;
  }

  test('outlive it, with their files and keys, and are removed in their own time', async () => {
    const session = await aSignedSession();
    await makeFilesOf(session);
    await forgetSession(session.sessionId);
    await forgetSession(session.sessionId);
    expect(await signatureSessions.get(session.sessionId)).toBeUndefined();
    const [one, two] = session.documents.map(({ documentId }) => documentId);
    const { status, ...model } = await reading(one);
    expect(DocumentModel.parse(model)).toMatchObject({
      ...{ id: one, signatureType: 'Cms', signedFile: { name: 'one.txt.p7m' } },
      signers: [{ certificate: { subjectIdentifier: '52998224725' } }],
    });
    expect([status, (await bytesOf({ id: two })).subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    await removeFiles(documentFolder(session.sessionId, one ?? ''));
    const left = (await files('pki').list(sessionFolder(session.sessionId))).files.map(({ key }) => key);
    expect(left.map((key) => key.split('/')[2])).toEqual([two, two]);
  });

  test.each(['before', 'after'] as const)(
    'are all there or none, where the worker is killed just %s any write',
    async (moment) => {
      for (let write = 1; ; write++) {
        const session = await aSignedSession();
        const wasKilled = await killedAt(write, moment, () => makeFilesOf(session));
        const ids = session.documents.map(({ documentId }) => documentId);
        const found = await documents.getMany(ids);
        const isDone = (await statusOf(session)) === 'Completed';
        expect(found).toHaveLength(isDone ? 2 : 0);
        await makeFilesOf(session);
        const made = await documents.getMany(ids);
        expect(await statusOf(session)).toBe('Completed');
        for (const { signed: file, documentKey, id } of made) {
          expect(await files('pki').head(file.key)).toMatchObject({ length: file.size });
          expect(await documentKeys.get(documentKey)).toMatchObject({ documentId: id });
        }
        if (!wasKilled) break;
      }
    },
  );
});

test('a document whose time is over is found no more, by its key either', async () => {
  const { id, key, availableUntil } = await signed(ana, { file: inJson(CONTENT) });
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.parse(String(availableUntil)) + 1);
  try {
    expect(await reading(id)).toMatchObject({ code: 'DocumentNotFound' });
    expect(await statusOfKey(String(key))).toMatchObject({ found: false, document: null });
  } finally {
    clock.mockRestore();
  }
});
