import { describe, expect, test } from 'vitest';
import { monthOf, storageOf, usageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { documentItems, findDocument } from '../../../../../functions/documents/domain/document/document.ts';
import {
  deleteFolder,
  emptyFolder,
} from '../../../../../functions/documents/domain/removal/delete-folder.ts';
import {
  deleteOrganization,
  emptyOrganization,
} from '../../../../../functions/documents/domain/removal/delete-organization.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as get } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as createFolder } from '../../../../../functions/documents/endpoints/folders/create-folder.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { APPROVER, anUpload, callerFor, SIGNER } from '../../sample-documents.ts';
import { commitBefore, keysWritten } from '../../stage/commit-before.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';

type Created = { uploadId: string; documentId: string; attachments: { attachmentId: string }[] };

// Later than any writer lives that found a deleted place open.
const LAST_CHECK_MS = 17 * 60_000;

await forFile(ownStores());
const { orgId, key } = await ownOrganization();
await registerSilentWebhook(orgId);

const headers = () => ({ 'X-API-Key': key });
const post = (json: object) => call(create, { headers: headers(), json });
const read = async (id: string) => (await call(get, { headers: headers(), params: { id } })).json();
const upload = (name?: string, bytes?: number) => anUpload(orgId, name, bytes);
/** Makes a document of an upload that one person signs, with these fields besides. */
const made = async (more: object = {}): Promise<Created> => {
  const answer = await post({ files: [{ id: await upload() }], flowActions: [SIGNER], ...more });
  const [document] = answer.json() as [Created];
  return document;
};
const codeOf = (answer: { json: () => unknown }) => (answer.json() as { code: string }).code;

describe('POST /api/documents', () => {
  test('makes a document of an upload, whose flow has begun', async () => {
    const id = await upload('contrato.bin');
    const { status, json } = await post({ files: [{ id, displayName: 'Contrato' }], flowActions: [SIGNER] });
    const [made] = json() as [Created];
    expect(status).toBe(200);
    expect(made).toEqual({ uploadId: id, documentId: expect.any(String), attachments: [] });
    expect(await read(made.documentId)).toMatchObject({
      id: made.documentId,
      name: 'Contrato',
      filename: 'contrato.bin',
      fileSize: 100,
      status: 'Pending',
      isConcluded: false,
      hasSignature: false,
      folder: null,
      organization: { id: orgId, identifier: '11222333000181' },
      createdBy: { id: orgId, type: 'Application' },
      flowActions: [
        {
          type: 'Signer',
          step: 1,
          status: 'Pending',
          user: { name: 'Ana Prado', identifier: '52998224725' },
        },
      ],
    });
  });

  test('makes several at once, and tells of all of them in one DocumentsCreated', async () => {
    const before = (await recordedEventsOf(orgId)).length;
    const files = [
      { id: await upload('a.bin') },
      { id: await upload('b.bin') },
      { id: await upload('c.bin') },
    ];
    const made = (await post({ files, flowActions: [SIGNER, { ...APPROVER, step: 2 }] })).json() as Created[];
    expect(made.map(({ uploadId }) => uploadId)).toEqual(files.map(({ id }) => id));
    const told = (await recordedEventsOf(orgId)).slice(before);
    expect(told).toEqual([
      {
        type: 'DocumentsCreated',
        data: {
          documents: made.map(({ documentId }) =>
            expect.objectContaining({
              id: documentId,
              folder: null,
              organization: expect.objectContaining({ id: orgId }),
              createdBy: { id: orgId, name: orgId },
              creationDate: expect.stringMatching(/Z$/),
              updateDate: expect.stringMatching(/Z$/),
            }),
          ),
        },
      },
    ]);
  });

  test('the later steps of a flow wait as Created', async () => {
    const { documentId } = await made({ flowActions: [{ ...SIGNER, step: 2 }, APPROVER] });
    const shown = (await read(documentId)) as { flowActions: { status: string }[] };
    expect(shown.flowActions.map(({ status }) => status)).toEqual(['Created', 'Pending']);
  });

  test('gives the same person the same id in all documents, and each action one of its own', async () => {
    const flowActions = [SIGNER];
    const files = [{ id: await upload() }, { id: await upload() }];
    const made = (await post({ files, flowActions })).json() as Created[];
    const flows = await Promise.all(
      made.map(async ({ documentId }) => (await documentItems.get(documentId))?.flow ?? []),
    );
    const [one, two] = flows.map(([action]) => action);
    expect(one?.people[0]?.id).toBe(two?.people[0]?.id);
    expect(one?.id).not.toBe(two?.id);
  });

  test('puts them in the folder that is named, or in a new one in it', async () => {
    const parent = (await call(createFolder, { headers: headers(), json: { name: 'Contratos' } })).json() as {
      id: string;
    };
    const { documentId } = await made({ folderId: parent.id, newFolderName: '2026' });
    expect(await read(documentId)).toMatchObject({
      folder: { name: '2026', parentId: parent.id, organizationName: 'Own' },
    });
  });

  test('keeps description, tags, attachments and the day it expires', async () => {
    const { documentId, attachments } = await made({
      attachments: [{ id: await upload('anexo.txt', 40), displayName: 'Anexo' }],
      description: 'Locação',
      tags: [{ label: 'filial', value: 'Recife' }, 'urgente'],
      expirationDate: '2099-12-31',
    });
    expect(attachments).toHaveLength(1);
    expect(await read(documentId)).toMatchObject({
      description: 'Locação',
      tags: [
        { label: 'filial', value: 'Recife', color: null },
        { label: 'urgente', value: null, color: null },
      ],
      attachments: [{ displayName: 'Anexo', name: 'anexo.txt', size: 40 }],
      expirationDate: '2100-01-01T02:59:59.999Z',
      expirationDateWithoutTime: '2099-12-31',
    });
  });

  test('counts the document and the bytes that it keeps', async () => {
    const own = await ownOrganization();
    const id = await anUpload(own.orgId, 'a.bin', 1234);
    await call(create, {
      headers: { 'X-API-Key': own.key },
      json: { files: [{ id }], flowActions: [SIGNER] },
    });
    expect(await storageOf(own.orgId)).toBe(1234);
    expect(await usageOf(own.orgId, monthOf(Date.now()))).toMatchObject({ Document: 1 });
  });

  test('takes an upload once: of two calls at the same moment one gets it', async () => {
    const id = await upload();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => post({ files: [{ id }], flowActions: [SIGNER] })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(codeOf)).toEqual(Array(3).fill('UploadAlreadyUsed'));
  });

  const NOBODY = '00000000-0000-4000-8000-000000000000';
  const aRule = (signRuleUsers: readonly object[], more: object = {}) => ({
    flowActions: [{ type: 'SignRule', signRuleUsers, ...more }],
  });
  const ana = (more: object) => ({ name: 'Ana', ...more });

  test.each([
    ['an upload that is not there', { files: [{ id: NOBODY }] }, 422, 'UploadNotFound'],
    ['an envelope of no PDFs', { isEnvelope: true }, 422, 'EnvelopePartNotUsable'],
    ['a date that is over', { expirationDate: '2020-01-01' }, 422, 'InvalidExpirationDate'],
    ['a folder that is not there', { folderId: NOBODY }, 404, 'FolderNotFound'],
    ['participants out of a file', { participantsDataFile: { id: 'x' } }, 422, 'OptionNotSupported'],
    [
      'an element of XML that is not named',
      { flowActions: [{ ...SIGNER, xadesOptions: { signatureType: 'XmlElement' } }] },
      400,
      'InvalidRequest',
    ],
  ])('refuses %s', async (_, wrong, status, code) => {
    const answer = await post({ files: [{ id: await upload() }], flowActions: [SIGNER], ...wrong });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  test.each<[string, object]>([
    ['a date that is none', { expirationDate: 'soon' }],
    ['a content type of two lines', { files: [{ id: NOBODY, contentType: 'text/plain\nx' }] }],
    ['a content type that is none', { files: [{ id: NOBODY, contentType: 'pdf' }] }],
    ['a name with a null character', { files: [{ id: NOBODY, displayName: 'a\u0000b' }] }],
    ['a description with a bell', { description: 'ding\u0007' }],
    ['a tag of two lines', { tags: ['two\nlines'] }],
    ['a tag whose value has an escape', { tags: [{ label: 'a', value: '\u001b[2J' }] }],
    ['a new folder with a null character', { newFolderName: 'a\u0000' }],
    ['no file', { files: [] }],
    ['no flow', { flowActions: [] }],
    ['a signer who is nobody', { flowActions: [{ type: 'Signer' }] }],
    ['a day that no calendar has', { expirationDate: '2027-02-30' }],
    ['a day in another order', { expirationDate: '12/31/2027' }],
    ['a year of five digits', { expirationDate: '9999-12-31' }],
    ['two people of a rule by one id', aRule([ana({ id: 'x' }), { id: 'x', name: 'Bia' }])],
    [
      'two people of a rule by one CPF, who could never both sign',
      aRule(
        [ana({ id: '1', identifier: '52998224725' }), { id: '2', name: 'Bia', identifier: '52998224725' }],
        { numberRequiredSignatures: 2 },
      ),
    ],
    [
      'a flow that says more than an item holds',
      {
        flowActions: Array.from({ length: 90 }, (_, n) => ({
          type: 'SignRule',
          ruleName: 'r'.repeat(190),
          signRuleUsers: Array.from({ length: 5 }, (_, m) => ({ name: `${n}.${m} ${'n'.repeat(180)}` })),
        })),
      },
    ],
    ['a rule that asks for more people than it has', aRule([ana({})], { numberRequiredSignatures: 2 })],
    [
      'a CPF whose check digits are wrong',
      { flowActions: [{ type: 'Signer', user: ana({ identifier: '52998224724' }) }] },
    ],
  ])('refuses %s as a malformed request', async (_, wrong) => {
    const answer = await post({ files: [{ id: await upload() }], flowActions: [SIGNER], ...wrong });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'InvalidRequest']);
  });

  test('keeps a description of several lines', async () => {
    const description = 'First line.\r\n\tSecond line.';
    const { documentId } = await made({ description });
    expect(await documentItems.get(documentId)).toMatchObject({ description });
  });

  test('names the field and says what is wrong with a control character', async () => {
    const request = { files: [{ id: await upload() }], flowActions: [SIGNER], tags: ['a\u0000'] };
    expect((await post(request)).json()).toMatchObject({
      details: { field: 'tags.0', reason: 'has a line break or another control character in it' },
    });
  });

  test('keeps a content type with its parameters', async () => {
    const contentType = 'text/plain; charset=utf-8; title="a; b"';
    const { documentId } = await made({ files: [{ id: await upload('a.bin'), contentType }] });
    expect((await documentItems.get(documentId))?.original.contentType).toBe(contentType);
  });

  // The place is deleted after it was read and before the document is written:
  //
  //   call    |--reads: Active-------------- document --|--200
  //   delete                  |--Deleting--|              |--last check: the document is deleted
  //
  // The write checks neither the folder nor the organization, so that creations in one place never conflict.
  test('leaves nothing in an organization that is deleted meanwhile, once its last check is over', async () => {
    const own = await ownOrganization();
    const id = await anUpload(own.orgId);
    commitBefore(`UPLOAD#${id}`, () => deleteOrganization(own.orgId, Date.now()));
    const answer = await call(create, {
      headers: { 'X-API-Key': own.key },
      json: { files: [{ id }], flowActions: [SIGNER] },
    });
    const [made] = answer.json() as [Created];
    expect(await documentItems.get(made.documentId)).toBeDefined();
    await expect(findDocument(callerFor(own.orgId), made.documentId)).rejects.toMatchObject({
      code: 'DocumentNotFound',
    });
    await emptyOrganization(own.orgId, Date.now() + LAST_CHECK_MS);
    expect(await documentItems.get(made.documentId)).toBeUndefined();
    expect(await storageOf(own.orgId)).toBe(0);
  });

  test('leaves nothing in a folder that is deleted meanwhile, once its last check is over', async () => {
    const { id: folderId } = (
      await call(createFolder, { headers: headers(), json: { name: 'Breve' } })
    ).json() as { id: string };
    const id = await upload();
    commitBefore(`UPLOAD#${id}`, async () => {
      await deleteFolder(callerFor(orgId), folderId, Date.now());
      expect(await emptyFolder(folderId, Date.now())).toBe('waiting');
    });
    const answer = await post({ files: [{ id }], flowActions: [SIGNER], folderId });
    const [made] = answer.json() as [Created];
    expect(await read(made.documentId)).toMatchObject({ code: 'DocumentNotFound' });
    expect(await emptyFolder(folderId, Date.now() + LAST_CHECK_MS)).toBe('more');
    expect(await emptyFolder(folderId, Date.now() + LAST_CHECK_MS)).toBe('deleted');
    expect(await documentItems.get(made.documentId)).toBeUndefined();
  });

  test('writes and checks no item of its folder or organization, so that two creations never conflict there', async () => {
    const { id: folderId } = (
      await call(createFolder, { headers: headers(), json: { name: 'Cheio' } })
    ).json() as { id: string };
    const written = await keysWritten(async () => {
      await post({ files: [{ id: await upload() }], flowActions: [SIGNER], folderId });
    });
    expect(written.filter((key) => key.startsWith('DOCUMENT#'))).toHaveLength(1);
    expect(written.filter((key) => key.startsWith('FOLDER#') || key.startsWith('ORGANIZATION#'))).toEqual([]);
  });

  test('keeps a place to the thousandth of a point', async () => {
    const mark = { page: 1, x: 1e-300, y: 10.00049, width: 10, height: 10 };
    const { documentId } = await made({ flowActions: [{ ...SIGNER, prePositionedMarks: [mark] }] });
    expect(await read(documentId)).toMatchObject({
      flowActions: [{ prePositionedMarks: [{ page: 1, x: 0, y: 10, width: 10, height: 10 }] }],
    });
  });

  test('says of a CPF that it is none, and not that it is neither a CPF nor null', async () => {
    const flowActions = [{ type: 'Signer', user: { name: 'Ana', identifier: '12345678900' } }];
    const answer = await post({ files: [{ id: await upload() }], flowActions });
    expect(answer.json()).toMatchObject({
      details: { field: 'flowActions.0.user.identifier', reason: 'is not a CPF' },
    });
  });

  test("cannot take another organization's upload", async () => {
    const other = await ownOrganization();
    const id = await anUpload(other.orgId);
    expect(codeOf(await post({ files: [{ id }], flowActions: [SIGNER] }))).toBe('UploadNotFound');
  });
});

test('GET /api/documents/{id}: a document outside the scope of the key is one that does not exist', async () => {
  const { documentId } = await made();
  const other = await ownOrganization();
  const answer = await call(get, { headers: { 'X-API-Key': other.key }, params: { id: documentId } });
  expect([answer.status, answer.json()]).toMatchObject([
    404,
    { code: 'DocumentNotFound', resourceName: 'Document', resourceId: documentId },
  ]);
});
