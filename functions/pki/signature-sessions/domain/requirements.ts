import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { IcpBrasilType } from '../../../../shared/pki/icp-brasil/types.ts';
import { type Cpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { errors } from '../../errors.ts';
import type { SignatureSession } from './session.ts';

export type CertificateRequirement = { readonly type: string; readonly argument?: string | null | undefined };

type Required = Pick<SignatureSession, 'signerCpf' | 'requiresDevice'>;

/** What a session requires of the certificate. Refuses a requirement that nobody would check. */
export function requirementsIn(requirements: readonly CertificateRequirement[]): Required {
  let signerCpf: Cpf | null = null;
  let requiresDevice = false;
  for (const [at, { type, argument }] of requirements.entries()) {
    const field = `certificateRequirements.${at}`;
    if (type === 'CryptoDevice') {
      if (argument) throw invalid(`${field}.argument`, 'is not taken by CryptoDevice');
      requiresDevice = true;
    } else if (type === 'Cpf') {
      const cpf = parseCpf(argument ?? '');
      if (!cpf) throw invalid(`${field}.argument`, 'is not a CPF');
      if (signerCpf !== null && signerCpf !== cpf)
        throw invalid(field, 'names a second CPF: one person signs');
      signerCpf = cpf;
    } else throw errors.refuse('OptionNotSupported', { option: 'certificateRequirements', value: type });
  }
  return { signerCpf, requiresDevice };
}

const invalid = (field: string, message: string) =>
  errors.refuse('InvalidRequest', undefined, { fields: [{ field, message }] });

// The key of these is made in a device and never leaves it (DOC-ICP-04).
const IN_DEVICE: readonly IcpBrasilType[] = ['A3', 'A4'];

/**
 * Refuses a certificate that does not meet the requirements of the session, and another than the one of the first
 * signature: a session has one signer.
 */
export function refuseAnotherSigner(
  { signerSha256, signerCpf = null, requiresDevice = false }: SignatureSession,
  certificate: Certificate,
): void {
  const { holder, cpf, certificateType } = icpBrasilIdentity(certificate);
  // A company's certificate has the CPF of whoever answers for the company, and signs for the company.
  if (signerCpf !== null && (holder !== 'person' || cpf !== signerCpf))
    throw errors.refuse('CertificateRequirementNotMet', { requirement: 'Cpf' });
  if (requiresDevice && !IN_DEVICE.includes(certificateType))
    throw errors.refuse('CertificateRequirementNotMet', { requirement: 'CryptoDevice', certificateType });
  if (signerSha256 !== null && signerSha256 !== certificate.sha256)
    throw errors.refuse('CertificateMismatch');
}
