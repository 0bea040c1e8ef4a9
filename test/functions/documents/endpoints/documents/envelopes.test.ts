import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { degrees, PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { expireDocument } from '../../../../../functions/documents/domain/ending/end-document.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { fileOf, uploads } from '../../../../../functions/documents/domain/uploads/upload.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createEnvelopeVersion } from '../../../../../functions/documents/endpoints/documents/create-envelope-version.ts';
import { handler as createVersion } from '../../../../../functions/documents/endpoints/documents/create-version.ts';
import { handler as remove } from '../../../../../functions/documents/endpoints/documents/delete-document.ts';
import { handler as getDocument } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as getContent } from '../../../../../functions/documents/endpoints/downloads/get-content.ts';
import { handler as editFlow } from '../../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { handler as createActionUrl } from '../../../../../functions/documents/endpoints/signing/create-action-url.ts';
import { handler as getPage } from '../../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { files } from '../../../../../shared/files/files.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { call } from '../../../../requests/http-event.ts';
import { plainPdf, throughQpdf } from '../../../../shared/signing/pades/documents.ts';
import { OPTIONS, person } from '../../../../shared/signing/pades/parties.ts';
import { ownOrganization } from '../../own-organization.ts';
import { canReadPdfs, complaintsOf, pagesOf } from '../../pdf-reader.ts';
import { APPROVER, anUpload, SIGNER } from '../../sample-documents.ts';
import { runTasks } from '../../stage/run-tasks.ts';
import { partsOf } from '../signing/calls.ts';

const { orgId, key } = await ownOrganization();
const headers = { 'X-API-Key': key };
const hasTools = canReadPdfs();

/** A PDF with a text on each page. */
async function pdfOf(...texts: string[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage([300, 300]).drawText(text, { x: 20, y: 100, size: 20, font });
  return Buffer.from(await pdf.save());
}

/** A form whose page inherits its size, is turned, and is named twice; one of its layers is hidden. */
async function oddPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([300, 400]);
  page.setRotation(degrees(90));
  const form = pdf.getForm();
  const name = form.createTextField('cliente.nome');
  name.setText('Maria');
  name.addToPage(page, { x: 20, y: 200, width: 200, height: 30 });
  const tree = pdf.catalog.Pages();
  tree.set(
    PDFName.of('MediaBox'),
    page.node.get(PDFName.of('MediaBox')) ?? pdf.context.obj([0, 0, 300, 400]),
  );
  page.node.delete(PDFName.of('MediaBox'));
  tree.Kids().push(page.ref);
  tree.set(PDFName.of('Count'), pdf.context.obj(2));
  const [shown, hidden] = ['shown', 'hidden'].map((label) =>
    pdf.context.register(pdf.context.obj({ Type: 'OCG', Name: label })),
  );
  const properties = { OCGs: [shown, hidden], D: { BaseState: 'OFF', ON: [shown] } } as never;
  pdf.catalog.set(PDFName.of('OCProperties'), pdf.context.obj(properties));
  return Buffer.from(await pdf.save());
}

const uploaded = async (content: Buffer, name = 'parte.pdf'): Promise<string> =>
  (await receiveUpload({ organizationId: orgId, name, contentType: 'application/pdf', content }, Date.now()))
    .id;

const post = (json: object) =>
  call(create, { headers, json: { isEnvelope: true, flowActions: [SIGNER], ...json } });
async function made(json: object): Promise<string> {
  const answer = await post(json);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const documents = answer.json() as { documentId: string }[];
  expect(documents).toHaveLength(1);
  return documents[0]?.documentId ?? '';
}
const shown = async (id: string) =>
  (await call(getDocument, { headers, params: { id } })).json() as Record<string, unknown> & {
    flowActions: { marks: object[]; prePositionedMarks: object[] }[];
  };
const contentOf = async (id: string, type: string): Promise<Buffer> =>
  Buffer.from((await call(getContent, { headers, params: { id }, query: { type } })).bytes);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const mark = (pageNumber: number, uploadId?: string) => ({
  pageNumber,
  topLeftX: 10,
  topLeftY: 10,
  width: 50,
  height: 20,
  uploadId,
});

describe('an envelope', () => {
  test('is one document of several PDFs: every page in order, its parts known', async () => {
    const contents = [await pdfOf('um', 'dois'), await oddPdf(), await pdfOf('cinco')];
    const sent = [];
    for (const content of contents) sent.push(await uploaded(content));
    const [first = '', second = '', third = ''] = sent;
    const id = await made({
      files: [{ id: first, displayName: 'Contrato' }, { id: second, displayName: 'Ficha' }, { id: third }],
      envelopeName: 'Admissão nº 7',
      additionalInfo: { fields: { 'cliente.nome': 'José Conceição' }, metadata: { Processo: '9' } },
    });
    const sizes = contents.map((content) => ({ size: content.length, sha256: sha256(content) }));
    expect(await shown(id)).toMatchObject({
      name: 'Admissão nº 7',
      filename: 'Admissão nº 7.pdf',
      mimeType: 'application/pdf',
      isEnvelope: true,
      parts: [
        { uploadId: first, name: 'Contrato', startPage: 1, pages: 2, ...sizes[0] },
        { uploadId: second, name: 'Ficha', startPage: 3, pages: 2, ...sizes[1] },
        { uploadId: third, name: 'parte.pdf', startPage: 5, pages: 1, ...sizes[2] },
      ],
    });
    const bytes = await contentOf(id, 'Original');
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(
      pdf.getPages().map((page) => [page.getWidth(), page.getHeight(), page.getRotation().angle]),
    ).toEqual([
      [300, 300, 0],
      [300, 300, 0],
      [300, 400, 90],
      [300, 400, 90],
      [300, 300, 0],
    ]);
    expect(pdf.getTitle()).toBe('Admissão nº 7');
    // It is no form any more, and the layer that nobody saw stays hidden.
    expect(pdf.catalog.has(PDFName.of('AcroForm'))).toBe(false);
    expect(String(pdf.catalog.lookup(PDFName.of('OCProperties')))).toMatch(
      /OCGs \[ \d+ 0 R \d+ 0 R \]\n\/D <<\n\/OFF \[ \d+ 0 R \]/,
    );
    if (hasTools) {
      expect(complaintsOf(bytes)).toBe('');
      const texts = pagesOf(bytes).map((text) => text.trim());
      expect([texts[0], texts[1], texts[4]]).toEqual(['um', 'dois', 'cinco']);
      expect(texts[2]).toMatch(/José Conceição/);
    }
    // The parts have gone into it.
    await runTasks();
    for (const each of sent) expect(await files('documents').head(fileOf({ id: each }))).toBeUndefined();
    expect((await post({ files: [{ id: first }] })).json()).toMatchObject({ code: 'UploadNotFound' });

    // Deleted, nothing of it stays.
    const stored = (await documentItems.get(id))?.original.key ?? '';
    expect((await call(remove, { headers, params: { id } })).status).toBe(204);
    await runTasks();
    expect(await files('documents').head(stored)).toBeUndefined();
  });

  test('has marks by file, whose pages are counted in their file; one that names none is on each file', async () => {
    const [first, second] = [await uploaded(await pdfOf('1', '2')), await uploaded(await pdfOf('3', '4'))];
    const lower = { page: 1, x: 5, y: 5, width: 50, height: 20 };
    const action = { ...SIGNER, prePositionedMarks: [mark(2, second), mark(1), lower] };
    const id = await made({ files: [{ id: first }, { id: second }], flowActions: [action] });
    const { flow } = (await documentItems.get(id)) ?? { flow: [] };
    expect(flow[0]?.marks?.map(({ page }) => page)).toEqual([4, 1, 3, 1, 3]);
    const { marks, prePositionedMarks } = (await shown(id)).flowActions[0] ?? {};
    expect(marks).toMatchObject([
      { pageNumber: 2, uploadId: second },
      { pageNumber: 1, uploadId: first },
      { pageNumber: 1, uploadId: second },
    ]);
    expect(prePositionedMarks).toEqual([lower, { ...lower, page: 3 }]);

    // The next version has the marks on the files at the same positions, as far as these have the pages.
    const [other, longer] = [await uploaded(await pdfOf('a')), await uploaded(await pdfOf('b', 'c', 'd'))];
    const json = { files: [{ id: other }, { id: longer }], disablePendingActionNotifications: true };
    const answer = await call(createEnvelopeVersion, { headers, params: { id }, json });
    expect([answer.status, answer.text]).toEqual([200, '']);
    const versioned = await documentItems.get(id);
    expect(versioned).toMatchObject({
      round: 2,
      parts: [{ pages: 1 }, { startPage: 2, pages: 3 }],
      silence: 'pending',
    });
    expect(versioned?.flow[0]?.marks?.map(({ page }) => page)).toEqual([3, 1, 2, 1, 2]);

    // New marks take the place of the old ones, and a page that the file does not have is refused.
    const again = async (pageNumber: number) => {
      const [one, two] = [await uploaded(await pdfOf('a')), await uploaded(await pdfOf('b'))];
      const flowActionId = (await documentItems.get(id))?.flow[0]?.id;
      const prePositionedMarks = [{ flowActionId, prePositionedDocumentMarks: [mark(pageNumber, two)] }];
      const sent = { files: [{ id: one }, { id: two }], prePositionedMarks };
      return call(createEnvelopeVersion, { headers, params: { id }, json: sent });
    };
    expect((await again(2)).json()).toMatchObject({
      code: 'InvalidRequest',
      details: { field: 'prePositionedMarks' },
    });
    expect((await again(1)).status).toBe(200);
    expect((await documentItems.get(id))?.flow[0]?.marks?.map(({ page }) => page)).toEqual([2]);
  });

  test('takes the marks of an edit of its flow as those of its creation, and keeps them in the next version', async () => {
    const [first, second] = [await uploaded(await pdfOf('1', '2')), await uploaded(await pdfOf('3', '4'))];
    const id = await made({ files: [{ id: first }, { id: second }] });
    const flowActionId = (await documentItems.get(id))?.flow[0]?.id;
    const edit = (edited: object[], added: object[] = []) =>
      call(editFlow, {
        ...{ headers, params: { id } },
        json: {
          editedFlowActions: [{ flowActionId, prePositionedMarks: edited }],
          addedFlowActions: added.length > 0 ? [{ ...APPROVER, step: 2, prePositionedMarks: added }] : [],
        },
      });
    const pages = async () =>
      (await documentItems.get(id))?.flow.map(({ marks }) => marks?.map(({ page }) => page));
    const unknown = await edit([mark(1, await uploaded(await pdfOf('x')))]);
    expect([unknown.status, unknown.json()]).toMatchObject([422, { code: 'UploadNotFound' }]);
    expect((await edit([mark(3, second)])).json()).toMatchObject({
      code: 'InvalidRequest',
      details: { field: 'editedFlowActions.prePositionedMarks', uploadId: second },
    });
    expect((await edit([mark(2, second)], [mark(1)])).status).toBe(200);
    expect(await pages()).toEqual([[4], [1, 3]]);
    // Without marks, those that it has stay.
    expect((await edit([])).status).toBe(200);
    const json = {
      files: [{ id: await uploaded(await pdfOf('a')) }, { id: await uploaded(await pdfOf('b', 'c')) }],
    };
    expect((await call(createEnvelopeVersion, { headers, params: { id }, json })).status).toBe(200);
    expect(await pages()).toEqual([[3], [1, 2]]);
  });

  test('and a document of one file have versions of their own', async () => {
    const id = await made({ files: [{ id: await uploaded(await pdfOf('1')) }] });
    const plain = { file: { id: await uploaded(await pdfOf('1')) } };
    const refused = await call(createVersion, { headers, params: { id }, json: plain });
    expect([refused.status, refused.json()]).toMatchObject([422, { code: 'DocumentIsEnvelope' }]);
    const [one] = (
      await call(create, { headers, json: { files: [plain.file], flowActions: [SIGNER] } })
    ).json() as {
      documentId: string;
    }[];
    const json = { files: [{ id: await uploaded(await pdfOf('1')) }] };
    const other = await call(createEnvelopeVersion, { headers, params: { id: one?.documentId ?? '' }, json });
    expect([other.status, other.json()]).toMatchObject([422, { code: 'DocumentIsNoEnvelope' }]);
  });

  test('is shown with its parts where it is read and signed, on its evidence page, and after it has expired', async () => {
    const refs = [];
    for (let n = 1; n <= 30; n++)
      refs.push({ id: await uploaded(await pdfOf(`${n}`)), displayName: `Anexo <${n}>` });
    const expirationDate = new Date(Date.now() + 60_000).toISOString();
    const id = await made({ files: refs, envelopeName: 'Lote', expirationDate });
    const url = await call(createActionUrl, { headers, params: { id }, json: { identifier: '52998224725' } });
    const { key: documentKey, ticket } = partsOf((url.json() as { url: string }).url);
    const html = (await call(getPage, { params: { key: documentKey }, query: { ticket, lang: 'en' } })).text;
    expect(html).toContain('The 30 files of this envelope are signed as one document');
    expect(html).toContain('<a href="#page-7">Anexo &lt;7&gt;</a> <span class="faint">page 7</span>');
    const hash = (await documentItems.get(id))?.parts?.at(-1)?.sha256 ?? 'none';
    const manifest = await contentOf(id, 'SignaturesManifest');
    if (hasTools) {
      const text = pagesOf(manifest).join('\n');
      expect(complaintsOf(manifest)).toBe('');
      for (const words of ['Arquivos do envelope', '30. Anexo <30>', 'Página 30', 'Assinaturas e aprovações'])
        expect(text).toContain(words);
      expect(text).toContain(hash.slice(0, 20));
    }
    await expireDocument(id, Date.parse(expirationDate), Date.parse(expirationDate) + 1);
    expect(await shown(id)).toMatchObject({ status: 'Expired', isEnvelope: true, parts: { length: 30 } });
    expect((await PDFDocument.load(await contentOf(id, 'Original'))).getPageCount()).toBe(30);
  });

  const withFiles = async (): Promise<Buffer> => {
    const pdf = await PDFDocument.create();
    pdf.addPage();
    await pdf.attach(Buffer.from('<nota/>'), 'nota.xml', { mimeType: 'text/xml' });
    return Buffer.from(await pdf.save());
  };
  const encrypted = async (): Promise<Buffer> =>
    throughQpdf(await plainPdf('table'), '--encrypt', 'a', 'b', '256', '--');
  test.each([
    ['a file that is no PDF', async () => Buffer.from('a,b'), 'no PDF'],
    ['a damaged PDF', async () => (await pdfOf('x')).subarray(0, 300), 'damaged'],
    ['a signed PDF', async () => signPades(await plainPdf('table'), person, OPTIONS), 'lose its signatures'],
    ['a PDF with files in it', withFiles, 'has files inside'],
    ['an encrypted PDF', encrypted, 'encrypted'],
  ])('is refused for %s by its name, and the uploads can be used again', async (_, bad, reason) => {
    const [good, other] = [await uploaded(await pdfOf('ok')), await uploaded(await bad(), 'ruim.pdf')];
    const answer = await post({ files: [{ id: good }, { id: other }] });
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      {
        code: 'EnvelopePartNotUsable',
        details: { uploadId: other, name: 'ruim.pdf', reason: expect.stringContaining(reason) },
      },
    ]);
    expect([await uploads.get(good), await uploads.get(other)]).toMatchObject([
      { state: 'Received' },
      { state: 'Received' },
    ]);
  });

  test('is refused over 50 MB, with a field that no part has, and its name without it', async () => {
    const id = await anUpload(orgId, 'grande.pdf');
    const upload = await uploads.get(id);
    if (upload) await uploads.change(upload, { size: 52_428_801, kind: 'pdf' });
    const large = await post({ files: [{ id }] });
    expect([large.status, large.json()]).toMatchObject([413, { details: { limitBytes: '52428800' } }]);
    const form = {
      files: [{ id: await uploaded(await pdfOf('x')) }],
      additionalInfo: { fields: { nome: 'x' } },
    };
    expect((await post(form)).json()).toMatchObject({
      code: 'FormNotFillable',
      details: { reason: 'No PDF of the envelope has a form field "nome".' },
    });
    const named = await post({
      files: [{ id: await uploaded(await pdfOf('x')) }],
      isEnvelope: false,
      envelopeName: 'x',
    });
    expect(named.json()).toMatchObject({ code: 'InvalidRequest', details: { field: 'envelopeName' } });
  });
});

// A function of the documents has 1,024 MB, and the process takes some 100 of them before it does anything.
test('20 parts of 50 MB together are merged in less than half the memory of a function', () => {
  const probe = new URL('../../domain/creating/merge-memory.ts', import.meta.url).pathname;
  const peak = Number(execFileSync(process.execPath, [probe, '20', '2.5'], { encoding: 'utf8' }));
  expect(peak).toBeLessThan(512 * 1024 * 1024);
});
