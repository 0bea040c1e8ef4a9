import type { CertificateModel } from '../../pki/model/certificate-model.ts';
import { formatCpf, maskCpf, parseCpf } from '../../taxpayer/cpf.ts';
import type { SignatureModel, VerificationReport } from './report.ts';

/**
 * The report for the public: CPFs show their middle digits alone, everywhere in the report, and other personal data is
 * left out. The file itself still holds all of it.
 * @example maskReport(report).signatures[0]?.signer?.pkiBrazil.cpf // '***.982.247-**'
 */
export function maskReport(report: VerificationReport): VerificationReport {
  const replaced = new Map(report.signatures.flatMap(certificatesOf).flatMap(ownTextsOf));
  return rewrite(report, replaced) as VerificationReport;
}

const certificatesOf = (signature: SignatureModel): CertificateModel[] =>
  [
    signature.signer,
    ...signature.countersignatures.map(({ signer }) => signer),
    ...[...signature.timestamps, ...signature.archiveTimestamps].map(({ authority }) => authority),
  ].filter((model) => model !== null);

type Replaced = readonly [text: string, by: string];

/** The personal texts of a certificate's holder, each with its replacement. */
function ownTextsOf({
  pkiBrazil,
  subjectIdentifier,
  emailAddress,
  subjectName,
}: CertificateModel): Replaced[] {
  const cpfs = [pkiBrazil.cpf, subjectIdentifier, subjectName.serialNumber]
    .map((text) => parseCpf(text ?? ''))
    .filter((cpf) => cpf !== undefined);
  const mails = [emailAddress, subjectName.emailAddress].filter((mail) => mail !== null);
  return [
    ...cpfs.flatMap((cpf) => [cpf, formatCpf(cpf)].map((text): Replaced => [text, maskCpf(cpf)])),
    ...mails.map((mail): Replaced => [mail, '***']),
  ];
}

// Fields of the certificate model that are not needed to identify the signer.
const LEFT_OUT = new Set(['dateOfBirth', 'rgNumero', 'rgEmissor', 'rgEmissorUF', 'emailAddress']);

function rewrite(value: unknown, replaced: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return maskText(value, replaced);
  if (Array.isArray(value)) return value.map((each) => rewrite(each, replaced));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, LEFT_OUT.has(name) ? null : rewrite(each, replaced)]),
  );
}

function maskText(text: string, replaced: ReadonlyMap<string, string>): string {
  let masked = text;
  for (const [own, by] of replaced) masked = masked.replaceAll(own, by);
  return masked;
}
