import { detectFormat, isBareBase64, isCms } from '../../shared/signing/verification/detect.ts';
import { headOf } from '../common/head.ts';

const KINDS = { PAdES: 'a PDF', XAdES: 'an XML document' } as const;

type Named = { readonly file: string; readonly head: Buffer; readonly content?: string | undefined };

/** Throws a line that says why a file carries no signature that this reads, and what to do. */
export function checkFormat({ file, head, content }: Named): void {
  if (content !== undefined) checkDetached({ file, head, content });
  if (isBareBase64(head))
    throw new Error(
      `${file} is Base64 text without its BEGIN and END lines. Decode it and verify that: base64 -d < ${file} > ${file}.der`,
    );
  if (detectFormat(head)) return;
  throw new Error(
    `${file} ${head.length === 0 ? 'is empty.' : 'holds no signature: it is no PDF, no XML and no CMS file (.p7m, .p7s).'} Where a signature stands apart, verify that: npm run verify -- SIGNATURE --content ${file}`,
  );
}

function checkDetached({ file, head, content }: Named & { readonly content: string }): void {
  const contentHead = headOf(content, '--content');
  if (isCms(head) || isBareBase64(head)) return;
  if (isCms(contentHead))
    throw new Error(
      `${file} is no signature, but ${content} is. The other way round: npm run verify -- ${content} --content ${file}`,
    );
  const format = detectFormat(head);
  if (format === 'PAdES' || format === 'XAdES')
    throw new Error(
      `${file} is ${KINDS[format]}, which carries its signatures inside, and not one of ${content}. Leave out --content.`,
    );
  throw new Error(`${file} is no detached signature: it is no CMS file, such as .p7s.`);
}
