import { expect, test } from 'vitest';
import { handler } from '../../../../../functions/documents/endpoints/downloads/get-content.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { canReadPdfs, pagesOf } from '../../pdf-reader.ts';
import { sign } from '../signing/calls.ts';
import { pendingDocument, signedBytes, signer } from '../signing/pending-document.ts';
import { signingStage } from '../signing/stage.ts';

const CPF = '52998224725';

const stage = await forFile(signingStage());

const ask = (id: string, type: string) =>
  call(handler, { params: { id }, query: { type }, headers: { 'X-API-Key': stage.key } });

const given = (bytes: Uint8Array, about: { name?: string; contentType?: string } = {}) =>
  pendingDocument({ organizationId: stage.orgId, bytes, flow: [signer(CPF)], ...about });

test('the signed bytes are answered as Signatures, and refused while nothing is signed', async () => {
  const document = await given(await plainPdf('table'));
  expect((await ask(document.id, 'Signatures')).json()).toMatchObject({
    code: 'ContentNotAvailable',
    details: { type: 'Signatures', status: 'Pending' },
  });
  expect((await sign(stage.key, document, stage.holder(CPF))).status).toBe(200);
  const answer = await ask(document.id, 'Signatures');
  expect(answer.bytes.equals(await signedBytes(document))).toBe(true);
  expect(answer.headers['content-disposition']).toBe('attachment; filename="contrato-signed.pdf"');
  expect((await ask(document.id, 'Original')).bytes.length).toBeLessThan(answer.bytes.length);
});

test('a CAdES signature is named after the whole file that it signs', async () => {
  const document = await given(Buffer.from('texto'), { name: 'nota.txt', contentType: 'text/plain' });
  expect((await sign(stage.key, document, stage.holder(CPF))).status).toBe(200);
  expect((await ask(document.id, 'Signatures')).headers).toMatchObject({
    'content-type': 'application/pkcs7-signature',
    'content-disposition': 'attachment; filename="nota.txt.p7s"',
  });
});

test.skipIf(!canReadPdfs())(
  'the manifest names the authority that issued the certificate of a real signature',
  async () => {
    const document = await given(await plainPdf('table'));
    expect((await sign(stage.key, document, stage.holder(CPF))).status).toBe(200);
    const [text = ''] = pagesOf((await ask(document.id, 'SignaturesManifest')).bytes);
    const [, issuer = ''] = /CN=([^,]+)/.exec(stage.intermediate.subject.text) ?? [];
    expect(issuer).not.toBe('');
    expect(text).toContain(`Certificado emitido por ${issuer}`);
    expect(text).toContain('CPF ***.982.247-**');
  },
);
