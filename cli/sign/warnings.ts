import { extname } from 'node:path';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { displayName, formatTime } from '../../shared/pki/findings/display.ts';
import { FORMAT_NAMES } from '../../shared/signing/format.ts';
import { isCms } from '../../shared/signing/verification/detect.ts';
import type { Format, Options } from './options.ts';

type Signing = {
  readonly options: Options;
  readonly format: Format;
  readonly head: Buffer;
  readonly certificate: Certificate;
};

/** Reasons to doubt the signature, for the person who signs. */
export const warningsOf = ({ options, format, head, certificate }: Signing, nowMs: number): string[] =>
  [certificateWarning(certificate, nowMs), fileWarning(options, format, head)].filter(
    (warning) => warning !== undefined,
  );

function certificateWarning(certificate: Certificate, nowMs: number): string | undefined {
  const { notBeforeMs, notAfterMs } = certificate;
  if (nowMs > notAfterMs)
    return `The certificate of ${displayName(certificate)} expired on ${formatTime(notAfterMs)}: verifiers will not accept this signature.`;
  if (nowMs < notBeforeMs)
    return `The certificate of ${displayName(certificate)} is valid from ${formatTime(notBeforeMs)} on: verifiers will not accept this signature.`;
  return undefined;
}

const FORMAT_OF_NAME: Readonly<Record<string, Format>> = { '.pdf': 'pades', '.xml': 'xades' };

function fileWarning(
  { file, format: chosen, cosign }: Options,
  format: Format,
  head: Buffer,
): string | undefined {
  if (head.length === 0) return `${file} is empty: the signature is over nothing.`;
  const expected = FORMAT_OF_NAME[extname(file).toLowerCase()];
  if (chosen === undefined && expected && expected !== format)
    return `${file} is not what its name says, so it is signed as ${FORMAT_NAMES[format]}. Is it whole?`;
  if (format === 'cades' && !cosign && isCms(head))
    return `${file} is a signature itself, and is signed as any file. To sign beside those who signed in it, use --cosign.`;
  return undefined;
}
