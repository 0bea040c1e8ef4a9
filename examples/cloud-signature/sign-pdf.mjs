import { parseCertificate } from '../../shared/pki/certificate/certificate.ts';
import { displayName } from '../../shared/pki/findings/display.ts';
import { digestOid } from '../../shared/signing/digest.ts';
import { completePades } from '../../shared/signing/pades/complete.ts';
import { preparePades } from '../../shared/signing/pades/prepare.ts';

/**
 * Signs a PDF with a remote key: the hash is sent and the signature comes back, the file stays here. `chain` holds the
 * certificates above the holder's, its issuer first, so that readers of the file need not find them.
 */
export async function signPdf(pdf, { hub, session, chain }) {
  const { content, alias } = await hub.certificate(session);
  const certificate = parseCertificate(Buffer.from(content, 'base64'));

  const prepared = preparePades(pdf, { certificate, chain, signingTimeMs: Date.now() });

  const signature = await hub.signHash(session, {
    hash: prepared.hash.toString('base64'),
    digestAlgorithmOid: digestOid(prepared.digest),
    certificateAlias: alias,
  });

  const { state, increment } = prepared;
  const appended = await completePades(state, Buffer.from(signature, 'base64'), { increment });
  return { signed: Buffer.concat([pdf, appended]), signer: displayName(certificate) };
}
