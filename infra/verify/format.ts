import { formatOfBytes } from '../../shared/signing/format.ts';
import { headOf, isCms } from '../sign/format.ts';
import type { Format } from '../sign/options.ts';
import type { Options } from './options.ts';

const KINDS = { pades: 'a PDF', xades: 'an XML document' } as const;

/** In what format a file may carry signatures, or a line that says why it carries none that this reads. */
export function signatureFormatOf({ file, content }: Options): Format {
  const head = headOf(file);
  const format = formatOfBytes(head);
  if (content !== undefined) checkDetached({ file, head, content });
  else if (format !== 'cades') return format;
  if (isCms(head)) return 'cades';
  if (isBase64(head))
    throw new Error(
      `${file} is Base64 text without its BEGIN and END lines. Decode it and verify that: base64 -d < ${file} > ${file}.der`,
    );
  throw new Error(
    `${file} ${head.length === 0 ? 'is empty.' : 'holds no signature: it is no PDF, no XML and no CMS file (.p7m, .p7s).'} Where a signature stands apart, verify that: npm run verify -- SIGNATURE --content ${file}`,
  );
}

type Detached = { readonly file: string; readonly head: Buffer; readonly content: string };

function checkDetached({ file, head, content }: Detached): void {
  const contentHead = headOf(content, '--content');
  const format = formatOfBytes(head);
  if (isCms(head) || isBase64(head)) return;
  if (isCms(contentHead))
    throw new Error(
      `${file} is no signature, but ${content} is. The other way round: npm run verify -- ${content} --content ${file}`,
    );
  if (format !== 'cades')
    throw new Error(
      `${file} is ${KINDS[format]}, which carries its signatures inside, and not one of ${content}. Leave out --content.`,
    );
  throw new Error(`${file} is no detached signature: it is no CMS file, such as .p7s.`);
}

// How a CMS structure of more than 127 bytes begins, whatever its length.
const isBase64 = (head: Buffer): boolean => /^\s*MI[A-Za-z0-9+/=\s]{60,}$/.test(head.toString('latin1'));
