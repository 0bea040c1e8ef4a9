import { expect, test } from 'vitest';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createVersion } from '../../../../../functions/documents/endpoints/documents/create-version.ts';
import { handler as get } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { call } from '../../../../requests/http-event.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../own-organization.ts';
import { APPROVER, anUpload, SIGNER } from '../../sample-documents.ts';

type Created = { readonly documentId: string };

const { orgId, key } = await ownOrganization();

const headers = () => ({ 'X-API-Key': key });
const post = (json: object) => call(create, { headers: headers(), json });
const read = async (id: string) => (await call(get, { headers: headers(), params: { id } })).json();
const upload = () => anUpload(orgId);
const uploadOf = async (content: Buffer) =>
  (
    await receiveUpload(
      { organizationId: orgId, name: 'a.pdf', contentType: 'application/pdf', content },
      Date.now(),
    )
  ).id;

// Git turns CRLF into LF in a file that it takes for text: the offset of the table is wrong then.
test('refuses a broken PDF that is to be signed, and leaves the upload to be used otherwise', async () => {
  const pdf = await plainPdf('table');
  const broken = Buffer.from(pdf.toString('latin1').replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1');
  const files = [{ id: await uploadOf(pdf) }, { id: await uploadOf(broken), displayName: 'Cortado' }];
  const refused = await post({ files, flowActions: [SIGNER] });
  expect([refused.status, refused.json()]).toMatchObject([
    422,
    { code: 'DocumentNotSignable', details: { name: 'Cortado', reason: 'broken' } },
  ]);
  expect((await post({ files, flowActions: [APPROVER] })).status).toBe(200);
  const [made] = (await post({ files: [{ id: await uploadOf(pdf) }], flowActions: [SIGNER] })).json() as [
    Created,
  ];
  const version = await call(createVersion, {
    headers: headers(),
    params: { id: made.documentId },
    json: { file: { id: await uploadOf(broken) } },
  });
  expect(version.json()).toMatchObject({ code: 'DocumentNotSignable' });
});

test.each([
  ['a document', { files: [{ id: crypto.randomUUID(), displayName: 'contrato\u202Efdp.exe' }] }],
  ['a folder', { newFolderName: 'Pasta\u200B' }],
  ['a participant', { flowActions: [{ type: 'Signer', user: { name: 'Ana\u2066Prado' } }] }],
])('refuses a name of %s that is not what is seen', async (_, wrong) => {
  const request = { files: [{ id: await upload() }], flowActions: [SIGNER], ...wrong };
  const { status, text } = await post(request);
  expect(status).toBe(400);
  expect(text).toContain('is not seen, or turns the reading direction');
});

test('keeps joiners in a name: emoji and several scripts need them', async () => {
  const displayName = 'Família 👨‍👩‍👧';
  const [made] = (
    await post({ files: [{ id: await upload(), displayName }], flowActions: [SIGNER] })
  ).json() as [Created];
  expect(await read(made.documentId)).toMatchObject({ name: displayName });
});

test('answers people with their address under both names, and says that a flow is not edited', async () => {
  const observers = [{ name: 'Rui', email: 'rui@example.com' }];
  const request = { files: [{ id: await upload() }], flowActions: [APPROVER], observers };
  const [made] = (await post(request)).json() as [Created];
  expect(await read(made.documentId)).toMatchObject({
    flowActions: [{ user: { email: 'bia@example.com', emailAddress: 'bia@example.com' } }],
    observers: [{ email: 'rui@example.com', emailAddress: 'rui@example.com' }],
    permissions: { move: true, editFlow: true },
  });
});

test.each(['A1', 'S3', 'T4'])('takes the certificate type %s', async (requiredCertificateTypeToSign) => {
  const flowActions = [{ ...SIGNER, requiredCertificateTypeToSign }];
  const [made] = (await post({ files: [{ id: await upload() }], flowActions })).json() as [Created];
  expect(await read(made.documentId)).toMatchObject({ flowActions: [{ requiredCertificateTypeToSign }] });
});

test.each([
  ['an approver', 'requireCompanyCertificate', { ...APPROVER, requireCompanyCertificate: true }],
  ['an approver', 'requiredCertificateTypeToSign', { ...APPROVER, requiredCertificateTypeToSign: 'A3' }],
  ['a signer', 'signRuleUsers', { ...SIGNER, signRuleUsers: [{ name: 'Rui' }] }],
  ['a rule', 'user', { type: 'SignRule', signRuleUsers: [{ name: 'Rui' }], user: { name: 'Ana' } }],
])('refuses of %s the option %s, which it has no use for', async (_, option, action) => {
  const { status, json } = await post({ files: [{ id: await upload() }], flowActions: [action] });
  expect([status, json()]).toMatchObject([422, { code: 'OptionNotSupported', details: { option } }]);
});

test('refuses an action that asks for a person and a company at once', async () => {
  const both = { requireCompanyCertificate: true, requiredCertificateHolderTypeToSign: 'Individual' };
  const request = { files: [{ id: await upload() }], flowActions: [{ ...SIGNER, ...both }] };
  expect((await post(request)).json()).toMatchObject({
    code: 'InvalidRequest',
    details: { field: 'flowActions.0.requiredCertificateHolderTypeToSign' },
  });
});

test('takes the defaults of typed models, and makes of them what leaving them out does', async () => {
  const action = { ...SIGNER, step: 0, numberRequiredSignatures: 0, signatureInitialsMode: 'None' };
  const request = {
    files: [{ id: await upload() }],
    flowActions: [action, { ...APPROVER, step: 0 }],
    additionalInfo: { fields: {}, metadata: null, healthData: null },
    signatureType: 'None',
    templateFieldValues: {},
  };
  const answer = await post(request);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const [made] = answer.json() as [Created];
  expect(await read(made.documentId)).toMatchObject({
    additionalInfo: null,
    flowActions: [
      { step: 1, status: 'Pending', numberRequiredSignatures: 1 },
      { step: 1, status: 'Pending' },
    ],
  });
  const rule = { type: 'SignRule', numberRequiredSignatures: 0, signRuleUsers: [SIGNER.user] };
  const ruled = await post({ files: [{ id: await upload() }], flowActions: [rule], additionalInfo: {} });
  const [other] = ruled.json() as [Created];
  expect(await read(other.documentId)).toMatchObject({ flowActions: [{ numberRequiredSignatures: 1 }] });
});

test('counts a step 0 beside others as the first: no order that was asked for is lost', async () => {
  const flowActions = [
    { ...APPROVER, step: 1 },
    { ...SIGNER, step: 0 },
  ];
  const [made] = (await post({ files: [{ id: await upload() }], flowActions })).json() as [Created];
  expect(await read(made.documentId)).toMatchObject({
    flowActions: [
      { step: 1, status: 'Created' },
      { step: 0, status: 'Pending' },
    ],
  });
});

test.each([
  ['healthData', { additionalInfo: { healthData: { items: [] } } }],
  ['signatureType', { signatureType: 'Qualified' }],
  ['templateFieldValues', { templateFieldValues: { name: 'Ana' } }],
  ['signatureInitialsMode', { flowActions: [{ ...SIGNER, signatureInitialsMode: 'Required' }] }],
])('refuses another value of %s by its name', async (option, wrong) => {
  const request = { files: [{ id: await upload() }], flowActions: [SIGNER], ...wrong };
  expect((await post(request)).json()).toMatchObject({ code: 'OptionNotSupported', details: { option } });
});
