import { randomUUID } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { fileOf, uploads } from '../../../../../functions/documents/domain/uploads/upload.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createVersion } from '../../../../../functions/documents/endpoints/documents/create-version.ts';
import { handler as remove } from '../../../../../functions/documents/endpoints/documents/delete-document.ts';
import { handler as getDocument } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as getTicket } from '../../../../../functions/documents/endpoints/downloads/get-content-ticket.ts';
import { handler as download } from '../../../../../functions/documents/endpoints/downloads/get-download.ts';
import { handler as editFlow } from '../../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { handler as getUpload } from '../../../../../functions/documents/endpoints/uploads/get-upload-content.ts';
import { files } from '../../../../../shared/files/files.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { call } from '../../../../requests/http-event.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { OPTIONS, person } from '../../../../shared/signing/pades/parties.ts';
import { ownOrganization } from '../../own-organization.ts';
import { anUpload, SIGNER } from '../../sample-documents.ts';
import { runTasks } from '../../stage/run-tasks.ts';

const { orgId, key } = await ownOrganization();
const headers = { 'X-API-Key': key };

async function formPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([300, 300]);
  const form = pdf.getForm();
  form.createTextField('cliente.nome').addToPage(page, { x: 20, y: 200, width: 200, height: 20 });
  form.createCheckBox('aceite').addToPage(page, { x: 20, y: 150, width: 20, height: 20 });
  const plan = form.createDropdown('plano');
  plan.setOptions(['Anual', 'Mensal']);
  plan.addToPage(page, { x: 20, y: 100, width: 100, height: 20 });
  return Buffer.from(await pdf.save());
}

const uploaded = async (content: Buffer, name = 'contrato.pdf'): Promise<string> =>
  (await receiveUpload({ organizationId: orgId, name, contentType: 'application/pdf', content }, Date.now()))
    .id;

const post = (json: object) => call(create, { headers, json: { flowActions: [SIGNER], ...json } });
const made = async (json: object): Promise<string[]> => {
  const answer = await post(json);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.json() as { documentId: string }[]).map(({ documentId }) => documentId);
};
async function stored(id: string) {
  const document = await documentItems.get(id);
  const bytes = await files('documents').read(document?.original.key ?? '', 10_000_000);
  return { document, pdf: await PDFDocument.load(bytes ?? Buffer.alloc(0), { updateMetadata: false }) };
}
const valuesIn = (pdf: PDFDocument) => ({
  name: pdf.getForm().getTextField('cliente.nome').getText(),
  isAccepted: pdf.getForm().getCheckBox('aceite').isChecked(),
  plan: pdf.getForm().getDropdown('plano').getSelected(),
  title: pdf.getTitle(),
});

const INFO = {
  fields: { 'cliente.nome': 'José Conceição', aceite: 'true', plano: 'Mensal' },
  metadata: { Title: 'Contrato nº 7', Processo: '123/2026' },
};

describe('additionalInfo', () => {
  test('fills form fields and metadata of the PDF before anybody signs it, in each file of the call', async () => {
    const sent = [await uploaded(await formPdf()), await uploaded(await formPdf())];
    const ids = await made({ files: sent.map((id) => ({ id })), additionalInfo: INFO });
    const filled = { name: 'José Conceição', isAccepted: true, plan: ['Mensal'], title: 'Contrato nº 7' };
    for (const id of ids) {
      const { pdf, document } = await stored(id);
      expect(valuesIn(pdf)).toEqual(filled);
      expect(document).toMatchObject({ format: 'PAdES', original: { contentType: 'application/pdf' } });
      expect((await call(getDocument, { headers, params: { id } })).json()).toMatchObject({
        additionalInfo: INFO,
        fileSize: document?.original.size,
      });
    }
    // The files that nobody has any more go, and their uploads cannot be used again.
    await runTasks();
    for (const id of sent) expect(await files('documents').head(fileOf({ id }))).toBeUndefined();
    expect((await post({ files: [{ id: sent[0] }] })).status).toBe(422);
  });

  test('leaves the file its id: marks that name it are taken in an edit of the flow too', async () => {
    const uploadId = await uploaded(await formPdf());
    const place = { uploadId, pageNumber: 1, topLeftX: 10, topLeftY: 10, width: 50, height: 20 };
    const flowActions = [{ ...SIGNER, prePositionedMarks: [place] }];
    const [id = ''] = await made({ files: [{ id: uploadId }], flowActions, additionalInfo: INFO });
    const flowActionId = (await documentItems.get(id))?.flow[0]?.id;
    const editedFlowActions = [{ flowActionId, prePositionedMarks: [{ ...place, topLeftX: 90 }] }];
    expect((await call(editFlow, { headers, params: { id }, json: { editedFlowActions } })).status).toBe(200);
    expect((await documentItems.get(id))?.flow[0]?.marks).toMatchObject([{ uploadId, x: 90 }]);
  });

  test('of a new version fills the new file', async () => {
    const [id = ''] = await made({
      files: [{ id: await uploaded(await formPdf()) }],
      additionalInfo: 'ours',
    });
    const action = (await documentItems.get(id))?.flow[0]?.id;
    const mark = { pageNumber: 1, topLeftX: 5, topLeftY: 5, width: 50, height: 50 };
    const json = {
      file: { id: await uploaded(await formPdf()) },
      additionalInfo: INFO,
      disablePendingActionNotifications: true,
      prePositionedMarks: [{ flowActionId: action, prePositionedDocumentMarks: [mark] }],
    };
    const answer = await call(createVersion, { headers, params: { id }, json });
    expect([answer.status, answer.text]).toEqual([200, '']);
    const { pdf, document } = await stored(id);
    expect(valuesIn(pdf)).toMatchObject({ name: 'José Conceição' });
    expect(document).toMatchObject({ silence: 'pending', flow: [{ marks: [{ page: 1, from: 'top' }] }] });
    const unknown = { ...json, file: { id: await uploaded(await formPdf()) } };
    const refused = await call(createVersion, { headers, params: { id }, json: unknown });
    expect(refused.json()).toMatchObject({ code: 'InvalidFlowAction' });
  });

  test.each([
    ['a field that the form does not have', formPdf, { fields: { x: 'y' } }, 'no form field "x"'],
    ['a value that a list does not have', formPdf, { fields: { plano: 'Diário' } }, 'does not take'],
    ['a letter that the font lacks', formPdf, { fields: { 'cliente.nome': '漢字' } }, 'font'],
    ['a file that is no PDF', async () => Buffer.from('a,b'), { metadata: { Title: 'x' } }, 'no PDF'],
    ['a broken PDF', async () => Buffer.from('%PDF-1.7\nx'), { metadata: { Title: 'x' } }, 'cannot be read'],
    [
      'a signed PDF',
      async () => signPades(await plainPdf('table'), person, OPTIONS),
      { metadata: { Title: 'x' } },
      'signed already',
    ],
  ])('is refused for %s, and the upload can be used again', async (_, file, additionalInfo, reason) => {
    const id = await uploaded(await file());
    expect((await post({ files: [{ id }], additionalInfo })).json()).toMatchObject({
      code: 'FormNotFillable',
      details: { uploadId: id, reason: expect.stringContaining(reason) },
    });
    expect(await uploads.get(id)).toMatchObject({ state: 'Received' });
  });
});

describe('attachments', () => {
  test('are of every document of the call: each has its own files, which go with it alone', async () => {
    const [file, other] = [await anUpload(orgId), await anUpload(orgId)];
    const attached = await anUpload(orgId, 'anexo.bin', 40);
    const ids = await made({
      files: [{ id: file }, { id: other }],
      attachments: [{ id: attached, displayName: 'Anexo', isPrivate: true }],
    });
    const attachments = (await documentItems.getMany(ids)).map(({ attachments: [each] }) => each);
    expect(attachments).toMatchObject([
      { displayName: 'Anexo', size: 40, isPrivate: true },
      { displayName: 'Anexo', size: 40, isPrivate: true },
    ]);
    const keys = attachments.map((each) => each?.key ?? '');
    expect(new Set(keys).size).toBe(2);
    await call(remove, { headers, params: { id: ids[0] ?? '' } });
    await runTasks();
    expect(await Promise.all(keys.map((each) => files('documents').head(each)))).toEqual([
      undefined,
      expect.objectContaining({ length: 40 }),
    ]);
  });

  test('are refused where the files would be too many to be taken in one write', async () => {
    const refs = (count: number) => Array.from({ length: count }, () => ({ id: randomUUID() }));
    const answer = await post({ files: refs(31), attachments: refs(2) });
    expect(answer.json()).toMatchObject({ code: 'InvalidRequest', details: { field: 'attachments' } });
  });
});

test('the location of an upload opens it for its organization, until a document has it', async () => {
  const id = await anUpload(orgId, 'contrato.bin', 60);
  const open = (by: string) => call(getUpload, { params: { id }, headers: { 'X-API-Key': by } });
  const opened = await open(key);
  expect([opened.status, opened.bytes.length]).toEqual([200, 60]);
  expect((await open((await ownOrganization()).key)).json()).toMatchObject({ code: 'UploadNotFound' });
  await made({ files: [{ id }] });
  expect((await open(key)).json()).toMatchObject({ code: 'UploadAlreadyUsed' });
});

test('a preview shows a PDF under no name, and saves anything else', async () => {
  const shown = [];
  for (const file of [await uploaded(await formPdf()), await anUpload(orgId)]) {
    const [id = ''] = await made({ files: [{ id: file }] });
    for (const preview of ['true', 'false']) {
      const query = { type: 'Original', preview };
      const answer = await call(getTicket, { headers, params: { id }, query });
      const { location } = answer.json() as { location: string };
      const { headers: got } = await call(download, { params: { ticket: location.split('/').at(-1) ?? '' } });
      shown.push(got['content-disposition']?.split(';')[0]);
    }
  }
  expect(shown).toEqual([undefined, 'attachment', 'attachment', 'attachment']);
});
