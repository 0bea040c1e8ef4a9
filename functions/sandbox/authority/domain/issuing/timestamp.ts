import * as asn1 from 'asn1js';
import {
  Accuracy,
  Attribute,
  Certificate as CertificateEncoder,
  ContentInfo,
  EncapsulatedContentInfo,
  GeneralName,
  GeneralNames,
  IssuerAndSerialNumber,
  IssuerSerial,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  MessageImprint,
  PKIStatus,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { readDer } from '../../../../../shared/der/read.ts';
import { unlessThrown } from '../../../../../shared/errors/expected.ts';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { type Digest, hashBytes, hashOf } from '../../../../../shared/signing/digest.ts';
import { CmsMalformed } from '../../../../../shared/signing/errors.ts';
import type { SigningKey } from '../../../../../shared/signing/key.ts';
import { readRequest, type TimestampRequest } from '../../../../../shared/signing/timestamp/request.ts';
import type { Failure } from '../../../../../shared/signing/timestamp/response.ts';
import { namedBits } from './extensions.ts';
import { encodedName } from './general-names.ts';
import {
  bytesOf,
  digestAlgorithm,
  type Encodable,
  integer,
  octets,
  signatureAlgorithm,
  timeOf,
  wholeSecond,
} from './pkijs.ts';

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
  const timeStampToken = await issueToken(request, digest, authority);
  return bytesOf(
    new TimeStampResp({ status: new PKIStatusInfo({ status: PKIStatus.granted }), timeStampToken }),
  );
}

function tryReadRequest(bytes: Buffer): TimestampRequest | undefined {
  return unlessThrown(CmsMalformed, () => readRequest(bytes));
}

async function issueToken(
  { imprint, nonce, wantsCertificate }: TimestampRequest,
  digest: Digest,
  { key, policy, now, nextSerialNumber }: TimestampAuthority,
): Promise<ContentInfo> {
  const { certificate, chain } = key;
  const info = new TSTInfo({
    version: 1,
    policy,
    messageImprint: new MessageImprint({
      hashAlgorithm: digestAlgorithm(digest),
      hashedMessage: octets(imprint.hash),
    }),
    serialNumber: integer(nextSerialNumber()),
    genTime: wholeSecond(now()),
    accuracy: new Accuracy({ seconds: ACCURACY_SECONDS }),
    ...(nonce && { nonce: integer(readDer(nonce).content) }),
  });
  const content = bytesOf(info);
  const attributes = inOrder([
    attribute(ID_CONTENT_TYPE, new asn1.ObjectIdentifier({ value: id_eContentType_TSTInfo })),
    attribute(ID_SIGNING_TIME, timeOf(now()).toSchema()),
    attribute(ID_MESSAGE_DIGEST, octets(hashOf('sha256', content))),
    attribute(ID_SIGNING_CERTIFICATE_V2, signingCertificate(certificate)),
  ]);
  const signed = Buffer.from(new asn1.Set({ value: attributes.map((each) => each.toSchema()) }).toBER());
  const signer = new SignerInfo({
    version: 1,
    sid: issuerAndSerial(certificate),
    digestAlgorithm: digestAlgorithm('sha256'),
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
    signatureAlgorithm: signatureAlgorithm(certificate.publicKey),
    signature: octets(await key.signHash('sha256', hashOf('sha256', signed))),
  });
  const token = new SignedData({
    digestAlgorithms: [digestAlgorithm('sha256')],
    encapContentInfo: encapsulated(content),
    signerInfos: [signer],
    ...(wantsCertificate && {
      certificates: inOrder([certificate, ...chain].map(({ der }) => CertificateEncoder.fromBER(der))),
    }),
  });
  return new ContentInfo({ contentType: id_ContentType_SignedData, content: token.toSchema(true) });
}

// RFC 5652, 11, and RFC 5035, 3
const ID_CONTENT_TYPE = '1.2.840.113549.1.9.3';
const ID_MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const ID_SIGNING_TIME = '1.2.840.113549.1.9.5';
const ID_SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

const attribute = (type: string, value: asn1.BaseBlock): Attribute =>
  new Attribute({ type, values: [value] });

// DER orders a SET OF by its bytes; PKI.js leaves them as they come.
const inOrder = <T extends Encodable>(elements: readonly T[]): T[] =>
  elements.toSorted((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)));

const issuerAndSerial = (certificate: Certificate): IssuerAndSerialNumber =>
  new IssuerAndSerialNumber({
    issuer: encodedName(certificate.issuer.der),
    serialNumber: integer(Buffer.from(certificate.serialHex, 'hex')),
  });

// Its constructor writes the content in segments, as BER may and DER must not.
function encapsulated(content: Buffer): EncapsulatedContentInfo {
  const info = new EncapsulatedContentInfo({ eContentType: id_eContentType_TSTInfo });
  info.eContent = octets(content);
  return info;
}

/** An ESSCertIDv2 (RFC 5035, 4) of SHA-256, which is its default and so is not written. */
function signingCertificate({ sha256, issuer, serialHex }: Certificate): asn1.Sequence {
  const name = encodedName(issuer.der);
  const issuerSerial = new IssuerSerial({
    issuer: new GeneralNames({ names: [new GeneralName({ type: 4, value: name })] }),
    serialNumber: integer(Buffer.from(serialHex, 'hex')),
  });
  const id = new asn1.Sequence({ value: [octets(Buffer.from(sha256, 'hex')), issuerSerial.toSchema()] });
  return new asn1.Sequence({ value: [new asn1.Sequence({ value: [id] })] });
}

// PKIFailureInfo (RFC 3161, 2.4.2)
const FAILURE_BITS: Readonly<Record<Failure, number>> = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  addInfoNotAvailable: 17,
  systemFailure: 25,
};

function refusal(failure: Failure, text: string): Buffer {
  const status = new PKIStatusInfo({
    status: PKIStatus.rejection,
    statusStrings: [new asn1.Utf8String({ value: text })],
    failInfo: namedBits([FAILURE_BITS[failure]]),
  });
  return bytesOf(new TimeStampResp({ status }));
}
