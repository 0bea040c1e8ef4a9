import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../../shared/pki/certificates-in.ts';
import { certificateModel } from '../../../shared/pki/model/certificate-model.ts';
import { judge } from '../../../shared/pki/verdict/verdict.ts';
import { pki } from '../signing/cms/fixtures.ts';
import { hostileDer } from './der-shapes.ts';

const places = { crl: ['http://a.test/1.crl'], ocsp: ['http://o.test'], caIssuers: ['http://i.test'] };
const { certificate, chain } = pki.holder({ places });

export const honest = (): Buffer => certificate.der;
export const cases = () => hostileDer(certificate.der, 95_000, 7); // larger ones are refused by their size

/** Everything that Sinete does with a certificate from outside. */
export async function read(bytes: Buffer): Promise<void> {
  readCertificates(bytes);
  const parsed = parseCertificate(bytes);
  certificateModel(parsed, chain);
  await judge(parsed, {
    anchors: [pki.root.certificate],
    intermediates: chain,
    atMs: Date.now(),
    keyUsages: ['digitalSignature'],
  });
}
