import * as z from 'zod';
import { VALIDATION_ITEM_TYPES } from '../findings/validation-results.ts';
import { ICP_BRASIL_TYPES } from '../icp-brasil/types.ts';
import { CERTIFICATE_EXAMPLE, CHECK_EXAMPLE, ICP_BRASIL_EXAMPLE, NAME_EXAMPLE } from './examples.ts';

export const ValidationItemModel = z.object({
  type: z.enum(VALIDATION_ITEM_TYPES),
  message: z.string(),
  detail: z.string().nullable(),
  get innerValidationResults() {
    return z.nullable(ValidationResultsModel);
  },
});

export const ValidationResultsModel = z.object({
  passedChecks: z.array(ValidationItemModel),
  errors: z.array(ValidationItemModel),
  warnings: z.array(ValidationItemModel),
});

const text = z.string().nullable();

export const NameModel = z
  .object({
    country: text,
    organization: text,
    organizationUnit: text,
    dnQualifier: text,
    stateName: text,
    commonName: text,
    serialNumber: text,
    locality: text,
    title: text,
    surname: text,
    givenName: text,
    initials: text,
    pseudonym: text,
    generationQualifier: text,
    emailAddress: text,
    allValues: z.record(z.string(), z.array(z.string())),
    dnString: z.string(),
  })
  .meta({
    description: 'A distinguished name of a certificate, by attribute and as a whole.',
    examples: [NAME_EXAMPLE],
  });

export const PkiBrazilCertificateModel = z
  .object({
    certificateType: z.enum(ICP_BRASIL_TYPES),
    cpf: text,
    cnpj: text,
    responsavel: text,
    dateOfBirth: text,
    companyName: text,
    oabUF: text,
    oabNumero: text,
    rgEmissor: text,
    rgEmissorUF: text,
    rgNumero: text,
  })
  .meta({
    description: 'The fields that ICP-Brasil adds to a certificate. Null where the certificate has none.',
    examples: [ICP_BRASIL_EXAMPLE],
  });

export const PkiItalyCertificateModel = z
  .object({ codiceFiscale: text, certificateType: z.null(), idCarta: z.null() })
  .meta({
    description: 'The fields that Italian certificates add. Only `codiceFiscale` is read.',
    examples: [{ codiceFiscale: null, certificateType: null, idCarta: null }],
  });

export const CertificateModel = z.object({
  subjectName: NameModel,
  issuerName: NameModel,
  issuerDisplayName: z.string(),
  serialNumber: z.string().describe('Decimal. The thumbprints are hexadecimal.'),
  validityStart: z.iso.datetime(),
  validityEnd: z.iso.datetime(),
  get issuer() {
    return CertificateModel.nullable().describe('Null where the chain ends, or is not known further.');
  },
  pkiBrazil: PkiBrazilCertificateModel,
  pkiItaly: PkiItalyCertificateModel,
  binaryThumbprintSHA256: z.base64(),
  thumbprint: z.string(),
  thumbprintSHA256: z.string(),
  subjectCommonName: text,
  subjectDisplayName: z.string(),
  subjectIdentifier: text,
  emailAddress: text,
  organization: text,
  organizationIdentifier: text,
});

z.globalRegistry.add(ValidationItemModel, {
  description: 'One check of a validation. A check that rests on others has their results inside.',
  examples: [CHECK_EXAMPLE],
});
z.globalRegistry.add(ValidationResultsModel, {
  description:
    'The checks of a validation: passed, failed, and those that only warn. With no `errors`, it is valid.',
  examples: [
    {
      passedChecks: [CHECK_EXAMPLE],
      errors: [],
      warnings: [],
    },
  ],
});
z.globalRegistry.add(CertificateModel, {
  description: 'A certificate, with its issuer as far as the chain is known.',
  examples: [CERTIFICATE_EXAMPLE],
});
