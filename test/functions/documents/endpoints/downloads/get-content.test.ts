import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Document } from '../../../../../functions/documents/domain/document/document.ts';
import { handler } from '../../../../../functions/documents/endpoints/downloads/get-content.ts';
import { handler as asBase64 } from '../../../../../functions/documents/endpoints/downloads/get-content-b64.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call } from '../../../../requests/http-event.ts';
import { plainPdf, throughQpdf } from '../../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../own-organization.ts';
import { canReadPdfs, pagesOf } from '../../pdf-reader.ts';
import { approvedBy, markOn, signedBy } from '../../sample-flow.ts';
import { current, pendingDocument, signer } from '../signing/pending-document.ts';

const CPF = '52998224725';

const own = await ownOrganization();
afterEach(() => {
  vi.unstubAllEnvs();
});

const ask = (id: string, type?: string, key = own.key, endpoint = handler) =>
  call(endpoint, {
    params: { id },
    query: type === undefined ? {} : { type },
    headers: { 'X-API-Key': key },
  });

const given = (
  bytes: Uint8Array,
  more: Partial<Document> = {},
  about: { name?: string; contentType?: string } = {},
) => pendingDocument({ organizationId: own.orgId, bytes, flow: [signer(CPF)], more, ...about });

const flow = [signedBy('Maria Conceição', { marks: [markOn(1)] }), approvedBy('João')];

describe('GET /api/documents/{id}/content', () => {
  test('answers the original by default, byte for byte, under its name and type', async () => {
    const bytes = randomBytes(300_000);
    const { id } = await given(bytes, {}, { name: 'Procuração.bin', contentType: 'image/png' });
    for (const type of [undefined, '', 'Original']) {
      const answer = await ask(id, type);
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(bytes)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': `attachment; filename="Procuracao.bin"; filename*=UTF-8''Procura%C3%A7%C3%A3o.bin`,
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('answers a page as a download that cannot run', async () => {
    const { id } = await given(Buffer.from('<script>'), {}, { name: 'a.html', contentType: 'text/html' });
    expect((await ask(id)).headers).toMatchObject({
      'content-disposition': 'attachment; filename="a.html"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  test.each(['SigningTags', 'SignatureMarks'])(
    'answers no type=%s, which the contract leaves out',
    async (type) => {
      const { id } = await given(Buffer.from('x'));
      expect((await ask(id, type)).json()).toMatchObject({
        code: 'InvalidRequest',
        details: { field: 'type' },
      });
    },
  );

  test.skipIf(!canReadPdfs())('draws marks on the original', async () => {
    const { id } = await given(await plainPdf('streams'), { flow });
    const answer = await ask(id, 'OriginalWithMarks');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="contrato-marked.pdf"');
    const [first, , last] = pagesOf(answer.bytes);
    expect(first).toContain('Maria Conceição');
    expect(last).toContain('João');
  });

  test.skipIf(!canReadPdfs())(
    'prints the original with the manifest after it, and its true hash',
    async () => {
      const bytes = await plainPdf('table');
      const { id } = await given(bytes, { flow });
      const answer = await ask(id, 'PrinterFriendlyVersion');
      expect(answer.headers['content-disposition']).toBe('attachment; filename="contrato-printable.pdf"');
      const pages = pagesOf(answer.bytes);
      expect(pages).toHaveLength(3);
      expect(pages[0]).toContain('Contrato, página 1');
      expect(pages[0]).toContain(id);
      expect(pages[2]).toContain(createHash('sha256').update(bytes).digest('hex'));
      expect(pages[2]).toContain('Own');
    },
  );

  test.skipIf(!canReadPdfs())('prints of what is no PDF the manifest alone', async () => {
    const { id } = await given(Buffer.from('texto'), { flow }, { name: 'nota.txt' });
    for (const [type, name] of [
      ['PrinterFriendlyVersion', 'nota-printable.pdf'],
      ['SignaturesManifest', 'nota-manifest.pdf'],
    ] as const) {
      const answer = await ask(id, type);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${name}"`,
      });
      expect(pagesOf(answer.bytes)).toHaveLength(1);
      expect(pagesOf(answer.bytes)[0]).toContain('Manifesto de assinaturas');
    }
    expect((await ask(id, 'OriginalWithMarks')).json()).toMatchObject({
      code: 'ContentNotAvailable',
      details: { reason: 'the original is not a PDF' },
    });
  });

  test.skipIf(!canReadPdfs()).each([
    [
      'an encrypted PDF',
      async () => throughQpdf(await plainPdf('table'), '--encrypt', '', 'owner', '256', '--'),
      'PDF protegido',
      'the original is encrypted',
    ],
    [
      'a broken PDF',
      async () => (await plainPdf('table')).subarray(0, 600),
      'PDF danificado',
      'the original is a PDF that cannot be read',
    ],
  ])(
    'prints of %s the manifest with a sentence, and refuses to draw marks on it',
    async (_, make, said, reason) => {
      const { id } = await given(await make(), { flow });
      const [page = '', ...others] = pagesOf((await ask(id, 'PrinterFriendlyVersion')).bytes);
      expect(page).toContain(said);
      expect(others).toEqual([]);
      const refused = await ask(id, 'OriginalWithMarks');
      expect(refused.status).toBe(422);
      expect(refused.json()).toMatchObject({ code: 'ContentNotAvailable', details: { reason } });
    },
  );

  test.skipIf(!canReadPdfs())(
    'draws on no PDF over Downloads:MaxDrawnBytes, whose hash is told all the same',
    async () => {
      vi.stubEnv('Downloads__MaxDrawnBytes', '500');
      const bytes = await plainPdf('table');
      const { id } = await given(bytes, { flow });
      const [page = ''] = pagesOf((await ask(id, 'PrinterFriendlyVersion')).bytes);
      expect(page).toContain('grande demais');
      expect(page).toContain(createHash('sha256').update(bytes).digest('hex'));
    },
  );

  test.each(['Refused', 'Canceled', 'Expired'] as const)(
    'answers of a document in status %s the original and the printable version only',
    async (state) => {
      const bytes = await plainPdf('table');
      const key = `documents/signed-${state}`;
      await files('documents').put(key, bytes, { contentType: 'application/pdf' });
      const { id } = await given(bytes, { flow, state, signed: { key, size: bytes.length, revision: 1 } });
      const statuses: Record<string, number> = {};
      for (const type of [
        'Original',
        'Signatures',
        'OriginalWithMarks',
        'PrinterFriendlyVersion',
        'SignaturesManifest',
      ])
        statuses[type] = (await ask(id, type)).status;
      expect(statuses).toEqual({
        Original: 200,
        Signatures: 422,
        OriginalWithMarks: 422,
        PrinterFriendlyVersion: 200,
        SignaturesManifest: 422,
      });
    },
  );

  test.each(['SigningTags', 'SignatureMarks', 'original'])(
    'refuses the type %j, naming the ones there are',
    async (type) => {
      const { id } = await given(Buffer.from('x'));
      const answer = await call(handler, {
        params: { id },
        query: { type },
        headers: { 'X-API-Key': own.key },
      });
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(
        /Original.*Signatures.*OriginalWithMarks.*PrinterFriendlyVersion.*SignaturesManifest/,
      );
    },
  );

  test('answers a document of another organization as one that does not exist', async () => {
    const { id } = await given(Buffer.from('x'));
    const other = await ownOrganization();
    const answer = await ask(id, undefined, other.key);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'DocumentNotFound', resourceId: id });
  });

  test('sends what its sender called no media type as a stream of bytes', async () => {
    const { id } = await given(Buffer.from('x'), {
      original: { ...(await given(Buffer.from('x'))).original, contentType: 'text/html\r\nx-evil: 1' },
    });
    const { status, headers } = await ask(id);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers).not.toHaveProperty('x-evil');
  });

  test('refuses with a reason when the file is missing', async () => {
    const document = await given(Buffer.from('x'));
    await files('documents').remove(document.original.key);
    for (const type of ['Original', 'SignaturesManifest']) {
      const { status, json } = await ask(document.id, type);
      expect(status).toBe(422);
      expect(json()).toMatchObject({
        code: 'ContentNotAvailable',
        details: { reason: 'the file is missing' },
      });
    }
  });
});

describe('GET /api/documents/{id}/content-b64', () => {
  test('answers name, type and bytes in base64', async () => {
    const bytes = await plainPdf('table');
    const document = await given(bytes, {}, { contentType: 'application/pdf' });
    expect((await ask(document.id, 'Original', own.key, asBase64)).json()).toEqual({
      name: 'contrato.pdf',
      contentType: 'application/pdf',
      bytes: bytes.toString('base64'),
    });
    const { json } = await ask(document.id, 'SignaturesManifest', own.key, asBase64);
    const { name, bytes: drawn } = json() as { name: string; bytes: string };
    expect(name).toBe('contrato-manifest.pdf');
    expect(Buffer.from(drawn, 'base64').toString('latin1', 0, 5)).toBe('%PDF-');
    expect(await current(document)).toMatchObject({ state: 'Pending' });
  });

  test('refuses a file over Downloads:MaxBase64Bytes with both sizes', async () => {
    vi.stubEnv('Downloads__MaxBase64Bytes', '1000');
    const { id } = await given(randomBytes(1001));
    const { status, json } = await ask(id, 'Original', own.key, asBase64);
    expect(status).toBe(422);
    expect(json()).toMatchObject({
      code: 'ContentTooLarge',
      details: { limitBytes: '1000', actualBytes: '1001' },
    });
  });
});
