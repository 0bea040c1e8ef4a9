import type { CertificateModel } from '../../pki/certificate-model.ts';
import { type Cpf, formatCpf, maskEndsOfCpf, parseCpf } from '../../taxpayer/cpf.ts';
import type { SignatureModel, VerificationReport } from './report.ts';

/**
 * The report for anyone: the CPFs of its certificates show their middle alone, wherever they stand in it, and what
 * else is a person's own business is left out. The file itself still holds all of it.
 * @example maskReport(report).signatures[0]?.signer?.pkiBrazil.cpf // '***.982.247-**'
 */
export function maskReport(report: VerificationReport): VerificationReport {
  const cpfs = report.signatures.flatMap(certificatesOf).flatMap(cpfOf);
  return rewrite(report, new Set(cpfs)) as VerificationReport;
}

const certificatesOf = (signature: SignatureModel): CertificateModel[] =>
  [
    signature.signer,
    ...signature.countersignatures.map(({ signer }) => signer),
    ...[...signature.timestamps, ...signature.archiveTimestamps].map(({ authority }) => authority),
  ].filter((model) => model !== null);

const cpfOf = ({ pkiBrazil, issuer }: CertificateModel): Cpf[] => [
  ...[parseCpf(pkiBrazil.cpf ?? '')].filter((cpf) => cpf !== undefined),
  ...(issuer ? cpfOf(issuer) : []),
];

// Names of the certificate model whose values nobody needs to tell who signed.
const LEFT_OUT = new Set(['dateOfBirth', 'rgNumero', 'rgEmissor', 'rgEmissorUF', 'emailAddress']);

function rewrite(value: unknown, cpfs: ReadonlySet<Cpf>): unknown {
  if (typeof value === 'string') return maskText(value, cpfs);
  if (Array.isArray(value)) return value.map((each) => rewrite(each, cpfs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, LEFT_OUT.has(name) ? null : rewrite(each, cpfs)]),
  );
}

function maskText(text: string, cpfs: ReadonlySet<Cpf>): string {
  let masked = text;
  for (const cpf of cpfs)
    for (const written of [cpf, formatCpf(cpf)]) masked = masked.replaceAll(written, maskEndsOfCpf(cpf));
  return masked;
}
