import * as z from 'zod';

export const ProfileParams = z.object({
  name: z.string().meta({ description: 'The name of a profile, case-insensitive.', examples: ['default'] }),
});

export const ProfileNames = z
  .array(z.string())
  .meta({ description: 'The names of all profiles, sorted.', examples: [['default', 'remessas']] });

const CertificateSummary = z.object({
  subject: z.string().describe('Its common name.'),
  issuer: z.string().describe('The common name of its issuer.'),
  serialNumber: z.string().describe('In hexadecimal.'),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  sha256: z.string().describe('The thumbprint, in hexadecimal.'),
});

export const ProfileDetails = z
  .object({
    name: z.string(),
    enabled: z.boolean().describe('A disabled profile takes no new work.'),
    default: z.boolean().describe('Whether uploads that name no profile get this one.'),
    method: z.string().describe('`Local`, `ExternalSigner` or `SignerFolder`.'),
    format: z.string().nullable().describe('Null: the extension of the file decides.'),
    verify: z.boolean(),
    validateCertificate: z.boolean(),
    preserveFileExtension: z.boolean(),
    saveAsPem: z.boolean(),
    checkCnab240: z.boolean(),
    checkCnab240PaymentDates: z.boolean(),
    checkCnab240LotSums: z.boolean(),
    timestamp: z.boolean(),
    inputFolder: z.string().nullable(),
    encryption: z
      .object({
        method: z.string().describe('`Password` or `Certificate`.'),
        certificate: CertificateSummary.nullable(),
      })
      .nullable(),
    approval: z
      .object({
        quorum: z.int(),
        poolSize: z.int(),
        expiresAfterSeconds: z.int().nullable(),
        signerSet: z.string().describe('`Profile`, `Approvers` or `ProfileAndApprovers`.'),
      })
      .nullable(),
    externalSigner: z
      .object({
        signers: z.array(
          z.object({
            name: z.string(),
            email: z.string(),
            cpf: z.string().describe('Masked.'),
            step: z.int().describe('Those of one step sign side by side; steps follow one another.'),
          }),
        ),
      })
      .nullable()
      .describe('Who signs at the external service.'),
    signerFolder: z.object({ folderId: z.string() }).nullable(),
    cloudCertificate: z
      .object({
        identifier: z.string().describe('The CPF or CNPJ of its holder.'),
        provider: z.string().nullable().describe('Null: any that holds such a certificate.'),
        certificateAlias: z
          .string()
          .nullable()
          .describe('Null: the valid one of the holder that was issued last.'),
        authorizedUntil: z.iso
          .datetime()
          .nullable()
          .describe('Null before it is authorized. The provider may end it sooner.'),
      })
      .nullable()
      .describe('A certificate at a cloud provider, which signs in place of the key.'),
    certificate: CertificateSummary.nullable().describe(
      'Null while the profile has no readable certificate.',
    ),
    degraded: z.boolean().describe('The profile cannot sign: its jobs fail with `profile.degraded`.'),
    degradedReason: z.string().nullable(),
  })
  .meta({
    description: 'How jobs of a profile are signed. Keys and passwords are never shown.',
    examples: [
      {
        name: 'remessas',
        enabled: true,
        default: false,
        method: 'Local',
        format: null,
        verify: true,
        validateCertificate: true,
        preserveFileExtension: true,
        saveAsPem: false,
        checkCnab240: true,
        checkCnab240PaymentDates: true,
        checkCnab240LotSums: false,
        timestamp: false,
        inputFolder: null,
        encryption: null,
        approval: null,
        externalSigner: null,
        signerFolder: null,
        cloudCertificate: null,
        certificate: {
          subject: 'EMPRESA EXEMPLO LTDA:11222333000181',
          issuer: 'AC Exemplo',
          serialNumber: '1A2B3C',
          notBefore: '2026-01-01T00:00:00.000Z',
          notAfter: '2027-01-01T00:00:00.000Z',
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
        degraded: false,
        degradedReason: null,
      },
    ],
  });
