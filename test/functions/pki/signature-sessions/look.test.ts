import { expect, test } from 'vitest';
import { signatureSessions } from '../../../../functions/pki/signature-sessions/domain/session.ts';
import { files } from '../../../../shared/files/files.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { authenticationStage } from '../authentication/stage.ts';
import { verifiers } from '../signatures/stage.ts';
import { aSession, ask, BY_KEY, inline, makeFilesOf, signing, starting } from './stage.ts';

const stage = await forFile(authenticationStage());
const by = verifiers(stage);
const ana = stage.holder();
const judges = missingTools().length ? undefined : openJudges(stage.holder('root').certificate, '-no-ocsp');
const pdf = inline(await plainPdf('table'), 'contrato.pdf', 'application/pdf');

const manual = { left: 2, bottom: 2, width: 7, height: 3 };
const lookOf = (text: string, position: object = { pageNumber: 1, manual }) => ({
  pdfSignatureOptions: { visualRepresentation: { position, text: { text } } },
});

test('the PDFs of a session have its look, but the one that has its own, and the other files none', async () => {
  const own = { ...pdf, ...lookOf('Ciente {{br_cpf_masked}}') };
  const plain = {
    ...pdf,
    pdfSignatureOptions: { measurementUnits: 'PdfPoints', visualRepresentation: null },
  };
  const session = await aSession([pdf, own, plain, inline('text')], lookOf('Visto {{br_cpf_formatted}}'));
  for (const index of [0, 1, 2, 3]) await signing(session, ana, index);
  await makeFilesOf(session);
  const { documents = [] } = (await signatureSessions.get(session.sessionId)) ?? {};
  expect(documents[3]?.visualFolder).toBeUndefined();
  const shown = ['Visto 529.982.247-25', 'Ciente ***.982.247-**', 'Visto 529.982.247-25'];
  for (const [at, text] of shown.entries()) {
    const bytes = (await files('pki').read(documents[at]?.signed?.key ?? '', 1_000_000)) ?? expect.fail();
    expect(await verifyPdf(bytes, by.context)).toMatchObject({ valid: true });
    expect(by.pdfsig(bytes)).toEqual(['Signature is Valid.']);
    if (judges) expect(judges.text(bytes, 1)).toContain(text);
  }
});

test('a look that the PDF has no page for is refused when the person signs, and one that cannot be drawn before', async () => {
  const session = await aSession([{ ...pdf, ...lookOf('x', { pageNumber: 9, manual }) }]);
  expect(await starting(session, ana)).toMatchObject({
    ...{ code: 'DocumentNotSignable', details: { reason: 'no-such-page' } },
  });
  for (const json of [lookOf('{{age}}'), { documents: [{ ...pdf, ...lookOf('{{age}}') }] }])
    expect(await ask('create', BY_KEY, { json })).toMatchObject({ code: 'InvalidVisualRepresentation' });
});

test('a look of a document that is not signed as a PDF is refused', async () => {
  for (const document of [inline('text'), { ...pdf, signatureType: 'Cms' }])
    expect(
      await ask('create', BY_KEY, { json: { documents: [{ ...document, ...lookOf('Visto') }] } }),
    ).toMatchObject({
      ...{ http: 422, code: 'OptionNotSupported' },
      details: { option: 'pdfSignatureOptions.visualRepresentation' },
    });
});
