import { parseOcspResponse } from '../../../shared/pki/revocation/ocsp/response.ts';
import { judge } from '../../../shared/pki/verdict/verdict.ts';
import { authority, holder, root } from '../pki/path/chain.ts';
import { NOW_MS } from '../pki/revocation/make-crl.ts';
import { makeOcsp } from '../pki/revocation/make-ocsp.ts';
import { hostileDer } from './der-shapes.ts';

const issuer = authority('Issuer');
const { certificate, chain } = holder('Holder', {}, issuer);
const response = makeOcsp({
  certificate,
  issuer: issuer.certificate,
  signer: issuer,
  status: 'good',
  nonce: Buffer.alloc(16, 1),
});

export const honest = (): Buffer => response;
export const cases = () => hostileDer(response, 1_000_000, 9);

export async function read(bytes: Buffer): Promise<void> {
  await judge(certificate, {
    anchors: [root().certificate],
    intermediates: chain,
    ocspResponses: [bytes],
    atMs: NOW_MS,
    now: () => NOW_MS,
  });
  parseOcspResponse(bytes);
}
