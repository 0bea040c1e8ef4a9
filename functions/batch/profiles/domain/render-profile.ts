import { unlessThrown } from '../../../../shared/errors/expected.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { displayName, displayNameOf } from '../../../../shared/pki/findings/display.ts';
import { formatSerial } from '../../../../shared/pki/model/certificate-model.ts';
import { type Cpf, maskCpf } from '../../../../shared/taxpayer/cpf.ts';
import { errors } from '../../errors.ts';
import { inEnglish } from '../../sentences/sentences.ts';
import { findProfile } from './find-profile.ts';
import { findDegradedReason } from './missing-folders.ts';
import { certificateOf, type ExternalSigner, type Profile } from './profile.ts';

/** One profile as the contract shows it. Refused with profile.not-found. */
export async function describeProfile(name: string) {
  const profile = await findProfile(name);
  if (!profile) throw errors.refuse('profile.not-found', { name }, { status: 404 });
  return renderProfile(profile);
}

/** Everything but the secrets: each field is named here, so that one that is added later is not shown by itself. */
export async function renderProfile(profile: Profile) {
  const { degradedReason, ...shown } = await showProfile(profile);
  return { ...shown, degradedReason: degradedReason === null ? null : inEnglish(degradedReason) };
}

/** The same for pages, which say why it cannot sign in the language of the reader. */
export async function showProfile(profile: Profile) {
  const { encryption, approval, externalSigner, signerFolder } = profile;
  const reason = await findDegradedReason(profile);
  return {
    name: profile.name,
    enabled: profile.enabled,
    default: profile.default,
    method: profile.method,
    format: profile.format ?? null,
    verify: profile.verify,
    validateCertificate: profile.validateCertificate,
    preserveFileExtension: profile.preserveFileExtension,
    saveAsPem: profile.saveAsPem,
    checkCnab240: profile.checkCnab240,
    checkCnab240PaymentDates: profile.checkCnab240PaymentDates,
    checkCnab240LotSums: profile.checkCnab240LotSums ?? false,
    timestamp: profile.timestamp,
    inputFolder: profile.inputFolder ?? null,
    encryption: encryption ? renderEncryption(encryption) : null,
    approval: approval
      ? {
          quorum: approval.quorum,
          poolSize: approval.approvers.length,
          expiresAfterSeconds: approval.expiresAfterSeconds ?? null,
          signerSet: approval.signerSet,
        }
      : null,
    externalSigner: externalSigner ? { signers: externalSigner.signers.map(renderSigner) } : null,
    signerFolder: signerFolder ? { folderId: signerFolder.folderId } : null,
    cloudCertificate: renderCloud(profile),
    certificate: summaryOf(certificateOf(profile)),
    degraded: reason !== undefined,
    degradedReason: reason ?? null,
  };
}

/** Who signs, as they are named elsewhere: the digits of a CPF that identify are hidden. */
const renderSigner = ({ name, email, cpf, step }: ExternalSigner['signers'][number]) => ({
  name,
  email,
  cpf: maskCpf(cpf as Cpf),
  step,
});

/** Until when the hub's session signs, and never its value. */
const renderCloud = ({ cloudCertificate, cloudAuthorization }: Profile) =>
  cloudCertificate
    ? {
        identifier: cloudCertificate.identifier,
        provider: cloudCertificate.provider ?? null,
        certificateAlias: cloudCertificate.certificateAlias ?? null,
        authorizedUntil: cloudAuthorization ? new Date(cloudAuthorization.expiresAtMs).toISOString() : null,
      }
    : null;

const renderEncryption = (encryption: NonNullable<Profile['encryption']>) =>
  'certificate' in encryption
    ? { method: 'Certificate', certificate: summaryOf(encryption.certificate) }
    : { method: 'Password', certificate: null };

function summaryOf(der: Uint8Array | undefined) {
  const certificate = der && readCertificate(der);
  if (!certificate) return null;
  return {
    subject: displayName(certificate),
    issuer: displayNameOf(certificate.issuer),
    serialNumber: formatSerial(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
    sha256: certificate.sha256,
  };
}

/** A certificate that cannot be read is a reason to be degraded, and not to fail the answer. */
export function readCertificate(der: Uint8Array): Certificate | undefined {
  return unlessThrown(CertificateMalformed, () => parseCertificate(der));
}
