import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { detectFormat, isBareBase64, isCms } from '../../shared/signing/verification/detect.ts';
import type { TrustOptions } from '../../shared/signing/verification/judged-certificates.ts';
import type { VerificationReport } from '../../shared/signing/verification/report.ts';
import { verifyFile } from '../../shared/signing/verification/verify-file.ts';
import { fileError, headOf } from '../arguments/named-file.ts';
import { countBytes, type Progress } from '../terminal/progress.ts';
import type { Target } from './targets.ts';

type VerifyOptions = {
  readonly trust: TrustOptions;
  readonly atMs: number;
  readonly covers: readonly string[];
  readonly bar: Progress;
};

/** Verifies one file. An Error has one line that names the file. */
export async function verifyTarget(
  { file, content }: Target,
  { trust, atMs, covers, bar }: VerifyOptions,
): Promise<VerificationReport> {
  const head = headOf(file);
  checkFormat({ file, head, content });
  const stream = (path: string) => countBytes(createReadStream(path), bar);
  const source = {
    name: file,
    head,
    stream: () => stream(file),
    async bytes() {
      const bytes = await readFile(file);
      bar.add(bytes.length);
      return bytes;
    },
  };
  try {
    return await verifyFile(source, {
      ...{ trust, atMs, covers },
      content: content === undefined ? undefined : { name: content, stream: () => stream(content) },
    });
  } catch (error) {
    throw fileError(file, 'could not be verified', error);
  }
}

const KINDS = { PAdES: 'a PDF', XAdES: 'an XML document' } as const;

type CheckedFile = { readonly file: string; readonly head: Buffer; readonly content?: string | undefined };

/** Throws unless the file may hold a signature. The message says why, and what to do. */
function checkFormat({ file, head, content }: CheckedFile): void {
  if (content !== undefined) checkDetached({ file, head, content });
  if (isBareBase64(head))
    throw new Error(
      `${file} is Base64 text without its BEGIN and END lines. Decode it and verify that: base64 -d < ${file} > ${file}.der`,
    );
  if (detectFormat(head)) return;
  throw new Error(
    `${file} ${head.length === 0 ? 'is empty.' : 'holds no signature: it is no PDF, no XML and no CMS file (.p7m, .p7s).'} If its signature is in another file, verify that one: npm run verify -- SIGNATURE --content ${file}`,
  );
}

function checkDetached({ file, head, content }: CheckedFile & { readonly content: string }): void {
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
