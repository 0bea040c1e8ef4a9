import { createPublicKey } from 'node:crypto';
import { type ExtensionRead, type GeneralNameRead, KJUR, type NameRead, X509, X509CRL } from 'jsrsasign';
import { parseCertificateText } from '../../../../../shared/pki/pem.ts';
import { REASONS } from '../../../../../shared/pki/revocation/reasons.ts';
import type { CertificateView, CrlView, OcspView, TimestampView } from './views.ts';

// How jsrsasign reads what the authority issues. It has its own decoder, and a table of names in place of OIDs.

const { OID } = KJUR.asn1.x509;
const oidOf = (name: string): string => (/^\d/.test(name) ? name : OID.name2oid(name));
const textOf = ({ array }: NameRead): string =>
  array
    .map((step) => step.map(({ type, value }) => `${type}=${value}`).join('+'))
    .toReversed()
    .join(',');

/** `yymmdd…Z` of UTCTime, until 2049, and `yyyymmdd…Z` of GeneralizedTime. */
function msOf(time: string): number {
  const full = time.length === 13 ? `20${time}` : time;
  return Date.parse(full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

const named = (extensions: readonly ExtensionRead[]) => (name: string) =>
  extensions.find(({ extname }) => extname === name);

export function readCertificate(der: Buffer): CertificateView {
  const reader = new X509();
  reader.readCertHex(der.toString('hex'));
  const read = reader.getParam();
  const extension = named(read.ext);
  const access = (extension('authorityInfoAccess')?.array ?? []) as { ocsp?: string; caissuer?: string }[];
  const points = (extension('cRLDistributionPoints')?.array ?? []) as {
    dpname: { full: { uri: string }[] };
  }[];
  const policies = (extension('certificatePolicies')?.array ?? []) as { policyoid: string }[];
  return {
    serial: read.serial.hex,
    issuer: textOf(read.issuer),
    subject: textOf(read.subject),
    notBeforeMs: msOf(read.notbefore),
    notAfterMs: msOf(read.notafter),
    publicKey: createPublicKey(read.sbjpubkey).export({ format: 'der', type: 'spki' }).toString('hex'),
    signatureAlgorithm: oidOf(read.sigalg),
    critical: read.ext.filter(({ critical }) => critical).map(({ extname }) => oidOf(extname)),
    isAuthority: extension('basicConstraints')?.cA === true,
    pathLength: extension('basicConstraints')?.pathLen,
    keyUsage: extension('keyUsage')?.names ?? [],
    purposes: ((extension('extKeyUsage')?.array ?? []) as string[]).map(oidOf),
    policies: policies.map(({ policyoid }) => oidOf(policyoid)),
    altNames: ((extension('subjectAltName')?.array ?? []) as GeneralNameRead[]).map(altNameOf),
    subjectKey: extension('subjectKeyIdentifier')?.kid?.hex ?? '',
    authorityKey: extension('authorityKeyIdentifier')?.kid?.hex,
    crls: points.flatMap(({ dpname }) => dpname.full.map(({ uri }) => uri)),
    ocsp: access.flatMap(({ ocsp }) => ocsp ?? []),
    caIssuers: access.flatMap(({ caissuer }) => caissuer ?? []),
    isOcspNoCheck: extension('ocspNoCheck') !== undefined,
  };
}

const altNameOf = ({ rfc822, other }: GeneralNameRead): string =>
  other ? `${other.oid} ${other.value.octstr.hex}` : `${rfc822}`;

export function readCrl(der: Buffer, serials: readonly string[]): CrlView {
  const read = new X509CRL(der.toString('hex')).getParam();
  const extension = named(read.ext);
  const entries = read.revcert ?? [];
  return {
    issuer: textOf(read.issuer),
    thisUpdateMs: msOf(read.thisupdate),
    nextUpdateMs: msOf(read.nextupdate),
    number: BigInt(`0x${extension('cRLNumber')?.num?.hex}`),
    authorityKey: extension('authorityKeyIdentifier')?.kid?.hex ?? '',
    signatureAlgorithm: oidOf(read.sigalg),
    revoked: serials.map((serial) => {
      const entry = entries.find(({ sn }) => sn.hex === serial);
      if (!entry) return undefined;
      const code = named(entry.ext ?? [])('cRLReason')?.code ?? 0;
      return { revokedAtMs: msOf(entry.date), reason: REASONS[code] ?? '' };
    }),
  };
}

export function readOcsp(der: Buffer): OcspView {
  const read = new KJUR.asn1.ocsp.OCSPParser().getOCSPResponse(der.toString('hex'));
  return {
    responderKey: read.respid.key,
    producedAtMs: msOf(read.prodat),
    signatureAlgorithm: oidOf(read.alg),
    nonce: named(read.ext ?? [])('ocspNonce')?.hex,
    certificates: read.certs,
    statuses: read.array.map(({ certid, status, thisupdate, nextupdate }) => ({
      hash: oidOf(certid.alg),
      issuerName: certid.issname,
      issuerKey: certid.isskey,
      serial: certid.sbjsn,
      status: status.status,
      revokedAtMs: status.time === undefined ? undefined : msOf(status.time),
      thisUpdateMs: msOf(thisupdate),
      nextUpdateMs: msOf(nextupdate),
    })),
  };
}

export function readTimestamp(der: Buffer): TimestampView {
  const read = new KJUR.asn1.tsp.TSPParser().getResponse(der.toString('hex'));
  const { policy, messageImprint, serial, genTime, accuracy, nonce } = read.econtent.content;
  const [signer] = read.sinfos;
  if (!signer) throw new Error('jsrsasign finds no signer.');
  const attribute = (name: string) => signer.sattrs.array.find(({ attr }) => attr === name);
  return {
    policy,
    hash: messageImprint.hash,
    digest: oidOf(messageImprint.alg),
    serial: BigInt(`0x${serial.hex}`),
    timeMs: msOf(genTime.str),
    accuracyMs: accuracy.seconds * 1000,
    nonce: nonce?.hex,
    signer: textOf(signer.id.issuer),
    signerSerial: signer.id.serial.hex,
    signingCertificate: attribute('signingCertificateV2')?.array?.[0]?.hash ?? '',
    messageDigest: attribute('messageDigest')?.hex ?? '',
    certificates: (read.certs?.array ?? []).map((pem) => parseCertificateText(pem).sha256),
  };
}
