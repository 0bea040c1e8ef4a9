import type * as z from 'zod';
import type { Certificate } from '../certificate/certificate.ts';
import { type IcpBrasilIdentity, icpBrasilIdentity } from '../icp-brasil/icp-brasil.ts';
import { sameName } from '../name/match.ts';
import { type Name, nameValue } from '../name/name.ts';
import { NAME_OID } from '../name/oids.ts';
import type { CertificateModel as Model, PkiBrazilCertificateModel } from './contract.ts';
import { nameModel } from './name-model.ts';

type PkiBrazilModel = z.infer<typeof PkiBrazilCertificateModel>;

/** A certificate as the services return it. */
export type CertificateModel = z.infer<typeof Model>;

// Longer chains do not exist. Denial of service: the limit bounds the nesting.
const MAX_DEPTH = 10;

/**
 * The model, with its issuers nested as far as `chain` (issuer first, upwards) contains them.
 * @example certificateModel(certificate, path.slice(1))
 */
export function certificateModel(
  certificate: Certificate,
  chain: readonly Certificate[] = [],
): CertificateModel {
  const known = models.get(certificate) ?? modelAlone(certificate);
  models.set(certificate, known);
  return { ...known, issuer: issuerModel(certificate, chain.slice(0, MAX_DEPTH)) };
}

// Every answer of a signature has the same few certificates, which are the same objects as long as they are read.
const models = new WeakMap<Certificate, Omit<CertificateModel, 'issuer'>>();

function modelAlone(certificate: Certificate): Omit<CertificateModel, 'issuer'> {
  const { subject, issuer } = certificate;
  const identity = icpBrasilIdentity(certificate);
  return {
    subjectName: nameModel(subject),
    issuerName: nameModel(issuer),
    issuerDisplayName: displayName(issuer),
    serialNumber: String(certificate.serialNumber),
    validityStart: new Date(certificate.notBeforeMs).toISOString(),
    validityEnd: new Date(certificate.notAfterMs).toISOString(),
    pkiBrazil: pkiBrazilModel(identity),
    pkiItaly: { codiceFiscale: codiceFiscale(subject) ?? null, certificateType: null, idCarta: null },
    binaryThumbprintSHA256: Buffer.from(certificate.sha256, 'hex').toString('base64'),
    thumbprint: certificate.sha1.toUpperCase(),
    thumbprintSHA256: certificate.sha256.toUpperCase(),
    subjectCommonName: nameValue(subject, NAME_OID.commonName) ?? null,
    ...holderFieldsOf(certificate, identity),
    emailAddress: identity.email ?? null,
  };
}

function issuerModel(certificate: Certificate, chain: readonly Certificate[]): CertificateModel | null {
  const [next, ...above] = chain;
  if (!next || sameName(certificate.subject, certificate.issuer)) return null;
  return sameName(certificate.issuer, next.subject) ? certificateModel(next, above) : null;
}

type HolderFields = Pick<
  CertificateModel,
  'subjectDisplayName' | 'subjectIdentifier' | 'organization' | 'organizationIdentifier'
>;

// "O=ICP-Brasil" is the infrastructure and not an employer. So the organization of a company's certificate is the
// company, a person has none, and for other certificates it comes from the subject.
function holderFieldsOf({ subject }: Certificate, identity: IcpBrasilIdentity): HolderFields {
  const shown = displayName(subject);
  if (identity.holder === 'company')
    return {
      subjectDisplayName: identity.companyName ?? shown,
      subjectIdentifier: identity.cnpj ?? null,
      organization: identity.companyName ?? null,
      organizationIdentifier: identity.cnpj ?? null,
    };
  const isPerson = identity.holder === 'person';
  return {
    subjectDisplayName: identity.personName ?? shown,
    subjectIdentifier: identity.cpf ?? nameValue(subject, NAME_OID.serialNumber) ?? null,
    organization: isPerson ? null : (nameValue(subject, NAME_OID.organization) ?? null),
    organizationIdentifier: isPerson ? null : (nameValue(subject, NAME_OID.organizationIdentifier) ?? null),
  };
}

const displayName = (name: Name): string =>
  nameValue(name, NAME_OID.commonName) ?? nameValue(name, NAME_OID.organization) ?? name.text;

/** Formats a serial number as people compare it: in hexadecimal, in whole bytes. */
export function formatSerial({ serialNumber }: Certificate): string {
  const hex = (serialNumber < 0n ? -serialNumber : serialNumber).toString(16).toUpperCase();
  return `${serialNumber < 0n ? '-' : ''}${hex.length % 2 ? '0' : ''}${hex}`;
}

const pkiBrazilModel = (identity: IcpBrasilIdentity): PkiBrazilModel => ({
  certificateType: identity.certificateType,
  cpf: identity.cpf ?? null,
  cnpj: identity.cnpj ?? null,
  responsavel: identity.personName ?? null,
  dateOfBirth: identity.birthDate ?? null,
  companyName: identity.companyName ?? null,
  oabUF: identity.oab?.state ?? null,
  oabNumero: identity.oab?.number ?? null,
  rgEmissor: identity.rg?.issuer ?? null,
  rgEmissorUF: identity.rg?.state ?? null,
  rgNumero: identity.rg?.number ?? null,
});

// The sixteen characters of a person's tax code after the prefix of ETSI EN 319 412-1, or the older prefix.
const SERIAL_NUMBER = /^(?:TINIT-|IT:)([A-Z0-9]{16})$/i;

/**
 * The Italian tax code in a subject's serial number, or undefined.
 * @example codiceFiscale(certificate.subject) // 'RSSMRA80A01H501U'
 */
const codiceFiscale = (subject: Name): string | undefined =>
  SERIAL_NUMBER.exec(nameValue(subject, NAME_OID.serialNumber) ?? '')?.[1]?.toUpperCase();
