import { afterAll, describe, expect, test } from 'vitest';
import { CreateDocuments } from '../../../../../functions/documents/contract/create-document.ts';
import { createDocuments } from '../../../../../functions/documents/domain/creating/create-documents.ts';
import { concludeDocument } from '../../../../../functions/documents/domain/ending/conclude-document.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as read } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as edit } from '../../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { handler as signers } from '../../../../../functions/documents/endpoints/verification/get-signatures-details.ts';
import { INSERTIONS } from '../../../../../shared/signing/xades/insertions.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { xmlsec } from '../../../../shared/signing/xades/xmlsec.ts';
import { callerFor } from '../../sample-documents.ts';
import { sign } from './calls.ts';
import { signedBytes } from './pending-document.ts';
import { signingStage } from './stage.ts';

const [FIRST, SECOND] = ['52998224725', '47363361886'] as const;
const MEC = 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd';
const DEGREE = `<Diploma xmlns="${MEC}"><infDiploma><DadosDiploma id="Dip1"><Nome>Ana</Nome></DadosDiploma><DadosRegistro id="Reg1"><Livro>7</Livro></DadosRegistro></infDiploma></Diploma>`;

const stage = await forFile(signingStage());
const outside = xmlsec({
  root: { certificate: stage.root },
  intermediate: { certificate: stage.intermediate },
});
afterAll(() => outside.remove());
const headers = { 'X-API-Key': stage.key };

async function upload(content: Buffer | string, contentType = 'application/xml'): Promise<{ id: string }> {
  const file = {
    organizationId: stage.orgId,
    name: 'degree.xml',
    contentType,
    content: Buffer.from(content),
  };
  return { id: (await receiveUpload(file, Date.now())).id };
}
const signer = (identifier: string, xadesOptions: object | null, more: object = {}) => ({
  type: 'Signer',
  user: { name: `Signer ${identifier}`, identifier },
  xadesOptions,
  ...more,
});
async function made(
  flowActions: object[],
  more: object = {},
  content: string = DEGREE,
): Promise<{ id: string }> {
  const request = { files: [await upload(content)], flowActions, ...more };
  const [one] = await createDocuments(callerFor(stage.orgId), CreateDocuments.parse(request), Date.now());
  return { id: one?.documentId ?? '' };
}
const signed = async (document: { id: string }, cpf: string) =>
  expect((await sign(stage.key, document, stage.holder(cpf))).json()).toMatchObject({ success: true });
const xmlNamespaces = [{ prefix: 'dip', uri: MEC }];
const byPath = (name: string, more: object = {}) => ({
  ...{ signatureType: 'XmlElement', elementToSignIdentifierType: 'XPath' },
  elementToSignIdentifier: `//dip:${name}`,
  ...more,
});
describe('XML of a document is signed', () => {
  test('as a degree is: two elements by path, then the whole, and is concluded', async () => {
    const document = await made(
      [
        signer(FIRST, byPath('DadosDiploma', { insertionOption: 'AppendChild' }), { step: 1 }),
        signer(SECOND, byPath('DadosRegistro', { insertionOption: 'AppendChild' }), { step: 2 }),
        signer(FIRST, { signatureType: 'FullXml' }, { step: 3 }),
      ],
      { xmlNamespaces },
    );
    for (const cpf of [FIRST, SECOND, FIRST]) await signed(document, cpf);
    const text = (await signedBytes(document)).toString();
    expect(text).toMatch(
      /<\/ds:Signature><\/DadosDiploma>.*<\/ds:Signature><\/DadosRegistro><\/infDiploma><ds:Signature .*<\/ds:Signature><\/Diploma>$/s,
    );
    expect(text.match(/<ds:Reference [^>]*URI="(#Dip1|#Reg1)?"/g)).toHaveLength(3);
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
    const details = await call(signers, { params: { id: document.id }, headers });
    const valid = { validationResults: { isValid: true } };
    expect(details.json()).toMatchObject({ signers: [valid, valid, valid] });
    expect((await call(read, { params: { id: document.id }, headers })).json()).toMatchObject({
      flowActions: [
        { xadesOptions: { ...byPath('DadosDiploma'), insertionOption: 'AppendChild' } },
        {},
        { xadesOptions: { signatureType: 'FullXml', elementToSignIdentifier: null } },
      ],
    });
  });

  test.each(INSERTIONS)('by an identifier, with the signature at %s', async (insertionOption) => {
    const xml = '<NFe><infNFe Id="NFe35"><vNF/></infNFe><resto/></NFe>';
    const options = { elementToSignIdentifier: 'NFe35', insertionOption };
    const document = await made([signer(FIRST, options)], {}, xml);
    await signed(document, FIRST);
    const bytes = await signedBytes(document);
    const at = {
      AppendChild: '<vNF/>*</infNFe><resto/>',
      PrependChild: '*<vNF/></infNFe><resto/>',
      AppendSibling: '<vNF/></infNFe>*<resto/>',
      PrependSibling: '<NFe>*<infNFe Id="NFe35"><vNF/></infNFe>',
    };
    expect(bytes.toString().replace(/<ds:Signature .*<\/ds:Signature>/s, '*')).toContain(at[insertionOption]);
    expect(outside.judge(bytes, { idElements: ['infNFe'] })).toBe('OK');
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
  });

  test('by two signers of one element, each of whom leaves the other valid', async () => {
    const options = { elementToSignIdentifier: '#b1', insertionOption: 'PrependChild' };
    const xml = '<a><b Id="b1"><c/></b></a>';
    const document = await made([signer(FIRST, options), signer(SECOND, options)], {}, xml);
    for (const cpf of [SECOND, FIRST]) await signed(document, cpf);
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
    const bytes = await signedBytes(document);
    const ids = [...bytes.toString().matchAll(/<ds:Signature [^>]*Id="([^"]+)"/g)].map(([, id = '']) => id);
    const judged = ids.map((signatureId) => outside.judge(bytes, { idElements: ['b'], signatureId }));
    expect(judged).toEqual(['OK', 'OK']);
  });

  test('without room for others where the option says so, and the next signer of the same is told', async () => {
    const options = { signatureType: 'FullXml', disableXPathTransformation: true };
    const document = await made([signer(FIRST, options), signer(SECOND, options)]);
    await signed(document, FIRST);
    expect((await signedBytes(document)).toString()).not.toContain('xmldsig-filter2');
    expect((await sign(stage.key, document, stage.holder(SECOND))).json()).toMatchObject({
      code: 'DocumentNotSignable',
      details: { reason: 'breaks-earlier-signature' },
    });
  });

  test('by a signer who is added later, with the prefixes that the document was made with', async () => {
    const other = await made([signer(FIRST, byPath('DadosDiploma')), signer(SECOND, null)], {
      xmlNamespaces,
    });
    const add = (options: object) =>
      call(edit, { params: { id: other.id }, headers, json: { addedFlowActions: [signer(FIRST, options)] } });
    expect((await add(byPath('DadosRegistro'))).status).toBe(200);
    expect((await add({ ...byPath('x'), elementToSignIdentifier: '//z:b' })).json()).toMatchObject({
      code: 'OptionNotSupported',
      details: { field: 'addedFlowActions.0.xadesOptions.elementToSignIdentifier' },
    });
  });
});

test.each<[string, object, object]>([
  [
    'AD-RC',
    { signatureType: 'FullXmlAdRc' },
    { code: 'OptionNotSupported', details: { option: 'signatureType' } },
  ],
  [
    'a path with a condition',
    { elementToSignIdentifierType: 'XPath', elementToSignIdentifier: "//*[local-name()='a']" },
    { code: 'OptionNotSupported', details: { option: 'elementToSignIdentifier' } },
  ],
  [
    'a path with a prefix of no namespace',
    { elementToSignIdentifierType: 'XPath', elementToSignIdentifier: '//n:a' },
    { code: 'OptionNotSupported', details: { option: 'elementToSignIdentifier' } },
  ],
  ['an element without its name', { signatureType: 'XmlElement' }, { code: 'InvalidRequest' }],
  [
    'the whole with an element',
    { signatureType: 'FullXml', elementToSignIdentifier: 'a' },
    { code: 'InvalidRequest' },
  ],
  ['a place beside the root', { insertionOption: 'AppendSibling' }, { code: 'InvalidRequest' }],
  ['another field', { transforms: ['x'] }, { code: 'OptionNotSupported', details: { option: 'transforms' } }],
])('%s is refused before a document is made', async (_, options, refusal) => {
  const json = { files: [await upload(DEGREE)], flowActions: [signer(FIRST, options)] };
  expect((await call(create, { headers, json })).json()).toMatchObject(refusal);
});

test('options of XML are refused for a file that is signed otherwise, and for an approval', async () => {
  const files = [await upload(await plainPdf('table'), 'application/pdf')];
  const options = { signatureType: 'FullXml' };
  const pdf = await call(create, { headers, json: { files, flowActions: [signer(FIRST, options)] } });
  expect(pdf.json()).toMatchObject({
    code: 'OptionNotSupported',
    details: { field: 'flowActions.0.xadesOptions', reason: 'A file of the call is signed as PAdES.' },
  });
  const approval = { type: 'Approver', user: { name: 'Bia' }, xadesOptions: options };
  expect((await call(create, { headers, json: { files, flowActions: [approval] } })).json()).toMatchObject({
    code: 'OptionNotSupported',
  });
});

test('options absent, null and at their defaults sign the whole document', async () => {
  const nothing = [
    null,
    {},
    { signatureType: '', elementToSignIdentifierType: 'Id', elementToSignIdentifier: null },
  ];
  for (const options of nothing) {
    const document = await made([signer(FIRST, options)], { xmlNamespaces: options === null ? null : [] });
    await signed(document, FIRST);
    expect(outside.judge(await signedBytes(document))).toBe('OK');
  }
});
