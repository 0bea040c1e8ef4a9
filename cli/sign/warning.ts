import { extname } from 'node:path';
import { isCms } from '../../shared/signing/verification/detect.ts';
import type { Format, Options } from './options.ts';

const CALLED: Readonly<Record<string, Format>> = { '.pdf': 'pades', '.xml': 'xades' };

/** What a person should know of a file before relying on its signature; nothing when it is as it seems. */
export function warningOf(
  { file, format: asked, cosign }: Options,
  format: Format,
  head: Buffer,
): string | undefined {
  if (head.length === 0) return `${file} is empty: the signature is over nothing.`;
  const seeming = CALLED[extname(file).toLowerCase()];
  if (asked === undefined && seeming && seeming !== format)
    return `${file} is not what its name says, so it is signed as ${format}. Is it whole?`;
  if (format === 'cades' && !cosign && isCms(head))
    return `${file} is a signature itself, and is signed as any file. To sign beside those who signed in it, use --cosign.`;
  return undefined;
}
