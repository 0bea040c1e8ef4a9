import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { type Holder, type HolderOptions, testPki } from '../../../certificates/pki.ts';
import { crlOf } from './crl.ts';

export const pki = testPki();

export function keyOf(holder: Holder): SigningKey {
  return localKey(holder.privateKey, holder.certificate, holder.chain);
}

export const holderKey = (options: HolderOptions = {}): SigningKey => keyOf(pki.holder(options));

/** The root, and CRLs of both authorities that revoke these certificates. */
export const trustPem = (revoked: readonly Certificate[] = []): string =>
  [
    writePem('CERTIFICATE', pki.root.certificate.der),
    writePem('X509 CRL', crlOf(pki.root)),
    writePem('X509 CRL', crlOf(pki.intermediate, revoked)),
  ].join('');

/** Judges the chain alone; revocation has tests of its own. */
export const judge: Judge = createJudge({ anchors: [pki.root.certificate], revocation: 'skip' });
