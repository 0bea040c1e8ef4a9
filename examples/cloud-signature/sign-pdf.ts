import type { Hub } from '@sinete/client';
import { type Certificate, parseCertificate } from '../../shared/pki/certificate/certificate.ts';
import { displayName } from '../../shared/pki/findings/display.ts';
import { digestOid } from '../../shared/signing/digest.ts';
import { completePades } from '../../shared/signing/pades/complete.ts';
import { preparePades } from '../../shared/signing/pades/prepare.ts';

type SignPdfOptions = {
  readonly hub: Hub;
  readonly session: string;
  /** The certificates above the holder's, its issuer first, so that readers of the file need not find them. */
  readonly chain: readonly Certificate[];
};

/** Signs a PDF with a remote key: the hash is sent and the signature comes back, the file stays here. */
export async function signPdf(pdf: Buffer, { hub, session, chain }: SignPdfOptions) {
  const { content, alias } = await hub.getCertificateV2({ session });
  const certificate = parseCertificate(Buffer.from(content, 'base64'));

  const prepared = preparePades(pdf, { certificate, chain, signingTimeMs: Date.now() });

  const signature = await hub.signHash({
    body: {
      session,
      hash: prepared.hash.toString('base64'),
      digestAlgorithmOid: digestOid(prepared.digest),
      certificateAlias: alias,
    },
  });

  const { state, increment } = prepared;
  const appended = await completePades(state, Buffer.from(signature, 'base64'), { increment });
  return { signed: Buffer.concat([pdf, appended]), signer: displayName(certificate) };
}
