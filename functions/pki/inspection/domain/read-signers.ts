import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { ValidationResults } from '../../../../shared/pki/findings/validation-results.ts';
import { certificateModel } from '../../../../shared/pki/model/certificate-model.ts';
import { RSA_WITH } from '../../../../shared/signing/cms/oids.ts';
import type { NamedPolicy } from '../../../../shared/signing/cms/policy.ts';
import { type Digest, digestOid } from '../../../../shared/signing/digest.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { TimestampReport } from '../../../../shared/signing/timestamp/verify.ts';
import type { FoundSignature } from '../../../../shared/signing/verification/found.ts';
import { findSignatures, inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import { assumeTrusted } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { nameOf } from '../../domain/digest-names.ts';
import { readValues } from './signature-values.ts';
import type { SignatureValues } from './values.ts';

/** Everybody who signed a file, as the file says. Nothing is judged here. */
export async function readSigners(format: SignatureFormat, bytes: Buffer, nowMs: number) {
  const { signatures } = await findSignatures(format, inMemory(bytes), { judge: assumeTrusted, atMs: nowMs });
  return signerModels(format, bytes, signatures);
}

/** The signatures that a verifier found, in the form of the contract. */
export async function signerModels(
  format: SignatureFormat,
  bytes: Buffer,
  signatures: readonly FoundSignature[],
) {
  const values = await readValues(format, bytes, signatures.map(coveredPathOf));
  return signatures.map((signature, at) => signerModel(format, signature, valuesFor(signature, values, at)));
}

// By its verifier: a reference alone is a claim.
const coveredPathOf = ({ covers }: FoundSignature): string | undefined =>
  covers.find(({ kind }) => kind === 'element')?.path ?? undefined;

// A PDF has its signatures by their fields, the others by their order.
const valuesFor = (signature: FoundSignature, values: readonly SignatureValues[], at: number) =>
  'field' in signature ? values.find(({ field }) => field === signature.field) : values[at];

function signerModel(
  format: SignatureFormat,
  signature: FoundSignature,
  values: SignatureValues | undefined,
) {
  const { certificate, claimedTimeMs, provenTimeMs, policy, kind } = signature;
  return {
    messageDigest: values?.messageDigest
      ? digestModel(values.messageDigest.digest, values.messageDigest.hash)
      : null,
    signature: signatureValueModel(certificate, values),
    signaturePolicy: policy ? policyModel(policy) : null,
    signingTime: isoOf(claimedTimeMs),
    certifiedDateReference: isoOf(provenTimeMs),
    timestamps: signature.timestamps.map(timestampModel),
    isDocumentTimestamp: kind === 'document-timestamp',
    signatureFieldName: values?.field ?? null,
    validationResults: null as ValidationResults | null,
    hasLtv: null,
    xmlSignedEntityType: format === 'XAdES' ? entityTypeOf(signature) : null,
    xmlSignedElement: values?.element ?? null,
    attributeCertificates: [],
    certificate: certificate ? certificateModel(certificate) : null,
    date: isoOf(provenTimeMs ?? claimedTimeMs),
  };
}

const entityTypeOf = ({
  covers,
  lacksContent,
}: FoundSignature): 'FullXml' | 'XmlElement' | 'DetachedResource' =>
  lacksContent
    ? 'DetachedResource'
    : covers.some(({ kind }) => kind === 'document')
      ? 'FullXml'
      : 'XmlElement';

const isoOf = (ms: number | undefined): string | null =>
  ms === undefined || Number.isNaN(new Date(ms).getTime()) ? null : new Date(ms).toISOString();

/** Null for an algorithm that the contract has no name for. */
function digestModel(digest: Digest, hash: Buffer) {
  const algorithm = nameOf(digest);
  return algorithm && { algorithm, value: hash.toString('base64'), hexValue: hash.toString('hex') };
}

const RSA_NAMES = {
  sha1: 'SHA1WithRSA',
  sha256: 'SHA256WithRSA',
  sha384: 'SHA384WithRSA',
  sha512: 'SHA512WithRSA',
} as const;

function signatureValueModel(certificate: Certificate | undefined, values: SignatureValues | undefined) {
  const value = values?.value ?? Buffer.alloc(0);
  const digest = values?.messageDigest?.digest;
  const isRsa = certificate?.publicKey.asymmetricKeyType === 'rsa';
  const algorithm =
    isRsa && digest && digest in RSA_NAMES ? RSA_NAMES[digest as keyof typeof RSA_NAMES] : null;
  return {
    algorithmIdentifier: {
      algorithm,
      oid: algorithm && digest ? RSA_WITH[digest] : null,
      digestAlgorithm: digest ? nameOf(digest) : null,
      digestAlgorithmOid: digest ? digestOid(digest) : null,
    },
    value: value.toString('base64'),
    hexValue: value.toString('hex'),
  };
}

const policyModel = ({ oid, uri, digest, hash }: NamedPolicy) => ({
  oid,
  uri: uri ?? null,
  digest: digest && hash ? digestModel(digest, hash) : null,
});

const timestampModel = ({ info, authority }: TimestampReport) => ({
  genTime: isoOf(info?.timeMs),
  serialNumber: info ? String(info.serialNumber) : null,
  messageImprint: info?.imprint.digest ? digestModel(info.imprint.digest, info.imprint.hash) : null,
  certificate: authority ? certificateModel(authority) : null,
  signers: [],
  hasEncapsulatedContent: info !== undefined,
  encapsulatedContentType: info ? ('TstInfo' as const) : null,
  encapsulatedContent: null,
  auditPackage: null,
  bStamp: null,
});
