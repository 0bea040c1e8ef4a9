import { ASN1HEX, type Asn1 } from 'jsrsasign';
import { unlessThrown } from '../../../../../shared/errors/expected.ts';
import { writePem } from '../../../../../shared/pki/pem.ts';
import { type Digest, hashBytes, hashOf } from '../../../../../shared/signing/digest.ts';
import { CmsMalformed } from '../../../../../shared/signing/errors.ts';
import type { SigningKey } from '../../../../../shared/signing/key.ts';
import { readRequest, type TimestampRequest } from '../../../../../shared/signing/timestamp/request.ts';
import type { Failure } from '../../../../../shared/signing/timestamp/response.ts';
import { bytesOf, cms, generalizedTime, hexOf, signatureAlgorithm, timeOf, tsp } from './jsrsasign.ts';

export type TimestampAuthority = {
  readonly key: SigningKey;
  /** The policy that every token is issued under; a request for another one is refused. */
  readonly policy: string;
  readonly now: () => number;
  /** Never the same number twice. */
  readonly nextSerialNumber: () => bigint;
};

const ACCURACY_SECONDS = 1;

/**
 * The authority's side of RFC 3161: answers any bytes, with a token or with why there is none.
 * @example const reply = await answerTimestamp(await rawBody(), authority);
 */
export async function answerTimestamp(bytes: Buffer, authority: TimestampAuthority): Promise<Buffer> {
  const request = tryReadRequest(bytes);
  if (!request) return refusal('badDataFormat', 'The request cannot be read.');
  const { digest, hash } = request.imprint;
  if (request.version !== 1) return refusal('badRequest', 'Only requests of version 1 are answered.');
  if (!digest || digest === 'sha1') return refusal('badAlg', 'The hash must be SHA-256, SHA-384 or SHA-512.');
  if (hash.length !== hashBytes(digest)) return refusal('badDataFormat', `The hash is no ${digest} hash.`);
  if (request.hasExtensions) return refusal('unacceptedExtension', 'No extension is known here.');
  if (request.policy !== undefined && request.policy !== authority.policy)
    return refusal('unacceptedPolicy', `Tokens are issued under ${authority.policy} only.`);
  return bytesOf(new tsp.TimeStampResp({ tst: await issueToken(request, digest, authority) }));
}

function tryReadRequest(bytes: Buffer): TimestampRequest | undefined {
  return unlessThrown(CmsMalformed, () => readRequest(bytes));
}

async function issueToken(
  { imprint, nonce, wantsCertificate }: TimestampRequest,
  alg: Digest,
  { key, policy, now, nextSerialNumber }: TimestampAuthority,
): Promise<Asn1> {
  const { certificate, chain } = key;
  const content = {
    policy,
    messageImprint: { alg, hash: hexOf(imprint.hash) },
    serial: { int: String(nextSerialNumber()) },
    genTime: generalizedTime(now()),
    accuracy: { seconds: ACCURACY_SECONDS },
    ...(nonce && { nonce: { hex: ASN1HEX.getV(hexOf(nonce), 0) } }),
  };
  const signer = { issuer: { hex: hexOf(certificate.issuer.der) }, serial: { hex: certificate.serialHex } };
  const sattrs = {
    array: [
      { attr: 'contentType', type: 'tstinfo' },
      { attr: 'signingTime', str: timeOf(now()) },
      { attr: 'messageDigest', hex: hexOf(hashOf('sha256', bytesOf(new tsp.TSTInfo(content)))) },
      { attr: 'signingCertificateV2', array: [{ hash: certificate.sha256, ...signer }] },
    ],
  };
  const attributes = bytesOf(new cms.AttributeList(sattrs));
  const sighex = hexOf(await key.signHash('sha256', hashOf('sha256', attributes)));
  const sigalg = signatureAlgorithm(certificate.publicKey, 'sha256');
  const token = new tsp.TimeStampToken({
    fixed: true,
    version: 3,
    hashalgs: ['sha256'],
    econtent: { type: 'tstinfo', content },
    sinfos: [{ version: 1, id: { type: 'isssn', ...signer }, hashalg: 'sha256', sattrs, sigalg, sighex }],
    ...(wantsCertificate && {
      certs: [certificate, ...chain].map(({ der }) => writePem('CERTIFICATE', der)),
    }),
  });
  return token.getContentInfo();
}

const refusal = (failinfo: Failure, text: string): Buffer =>
  bytesOf(new tsp.TimeStampResp({ statusinfo: { status: 'rejection', statusstr: [text], failinfo } }));
