import { sign } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import { documents } from '../../../../functions/pki/documents/domain/document.ts';
import { handler as getDocument } from '../../../../functions/pki/documents/endpoints/get-document.ts';
import { handler as finish } from '../../../../functions/pki/signatures/endpoints/finish-signature.ts';
import { handler as prepare } from '../../../../functions/pki/signatures/endpoints/prepare-signature.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import { files } from '../../../../shared/files/files.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { hasXmlsec, xmlsec } from '../../../shared/signing/xades/xmlsec.ts';
import { ask, type Signer, type Stage } from '../authentication/stage.ts';

export const CONTENT = Buffer.from('pay Maria 100');
export const XML = Buffer.from('<lote xmlns="urn:x"><nota Id="a"><valor>10</valor></nota></lote>');

export const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');
export const inJson = (bytes: Uint8Array | string, name?: string) => ({
  content: base64(bytes),
  ...(name !== undefined && { name }),
});

type Fields = Readonly<Record<string, unknown>>;

/** The first step of the sandbox's application. */
export const preparing = (signer: Pick<Signer, 'certificate'>, request: Fields, headers = {}) =>
  ask(
    prepare,
    {
      certificate: { content: signer.certificate.der.toString('base64') },
      securityContextId: SANDBOX_CONTEXT,
      ...request,
    },
    { headers },
  );

export const signatureOver = (started: Fields, { privateKey }: Pick<Signer, 'privateKey'>): string =>
  sign('sha256', Buffer.from((started.toSign as { data: string }).data, 'base64'), privateKey).toString(
    'base64',
  );

export const finishing = (state: unknown, signature: string, headers = {}) =>
  ask(finish, { state, signature }, { headers });

/** Both steps: the document. */
export async function signed(signer: Signer, request: Fields) {
  const started = await preparing(signer, request);
  expect(started).toMatchObject({ status: 200, success: true, failure: null });
  return finishing(started.state, signatureOver(started, signer));
}

export const reading = (id: unknown, headers = {}) =>
  ask(getDocument, undefined, { method: 'GET', params: { id: String(id) }, headers });

/** The signed bytes of an answered document. */
export async function bytesOf({ id }: Fields): Promise<Buffer> {
  const document = await documents.get(String(id));
  return (
    (await files('pki').read(document?.signed.key ?? '', 20_000_000)) ?? expect.fail('There is no file.')
  );
}

/** The key of another application. */
export async function anotherKey(): Promise<Record<string, string>> {
  const name = `other-${Math.random().toString(36).slice(2)}`;
  await createApplication('pki', { name, permissions: ['*'] });
  return { 'X-API-Key': (await issueKey('pki', name)).text };
}

/** Our verifier, and others. */
export function verifiers(stage: Stage) {
  const root = stage.holder('root');
  const judges = missingTools().length === 0 ? openJudges(root.certificate, '-no-ocsp') : undefined;
  const outside = xmlsec({ root, intermediate: stage.holder('intermediate') });
  const kept = folder();
  const trust = kept.file('root.pem', writePem('CERTIFICATE', root.certificate.der));
  afterAll(() => {
    judges?.close();
    outside.remove();
    kept.remove();
  });
  return {
    context: {
      judge: createJudge({ anchors: [root.certificate], revocation: 'skip' }),
      atMs: Date.now(),
    },
    pdfsig: (bytes: Buffer): readonly string[] => judges?.judge(bytes).signatures ?? ['Signature is Valid.'],
    xmlsec: (bytes: Buffer, idElements: readonly string[] = []): string =>
      hasXmlsec ? outside.judge(bytes, { idElements }) : 'OK',
    openssl: (bytes: Buffer, content?: Buffer): boolean =>
      !hasOpenssl ||
      openssl(
        ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', kept.file('judged', bytes)],
        ...['-CAfile', trust, '-purpose', 'any', '-out', kept.path('out')],
        ...(content ? ['-content', kept.file('content', content)] : []),
      ).ok,
  };
}
