import { parseCrl } from '../../../shared/pki/revocation/crl/crl.ts';
import { findEntry, findUnknownCriticalEntry } from '../../../shared/pki/revocation/crl/entries.ts';
import { judge } from '../../../shared/pki/verdict/verdict.ts';
import { authority, holder, root } from '../pki/path/chain.ts';
import { makeCrl, NOW_MS, scope } from '../pki/revocation/make-crl.ts';
import { hostileDer } from './der-shapes.ts';

const issuer = authority('Issuer');
const { certificate, chain } = holder('Holder', {}, issuer);
const list = makeCrl(issuer, {
  revoked: [{ certificate, reason: 'keyCompromise', namesIssuer: true }],
  issuingPoint: scope({ address: 'http://crl.example/a.crl', reasons: [1, 2], isIndirect: true }),
});

export const honest = (): Buffer => list;
export const cases = () => [...hostileDer(list, 1_000_000, 5), ...hostileDer(list, 4_000_000, 21)];

export async function read(bytes: Buffer): Promise<void> {
  await judge(certificate, {
    anchors: [root().certificate],
    intermediates: chain,
    crls: [bytes],
    atMs: NOW_MS,
    now: () => NOW_MS,
  });
  const parsed = parseCrl(bytes);
  findEntry(parsed, certificate);
  findUnknownCriticalEntry(parsed);
}
