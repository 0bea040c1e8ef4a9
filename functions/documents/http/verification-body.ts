import { buffer } from 'node:stream/consumers';
import { safeFileName } from '../../../shared/files/safe-name.ts';
import type { Multipart, Part } from '../../../shared/http/body/multipart.ts';
import { tooLarge } from '../../../shared/http/body/raw-body.ts';
import type { UnreadBody } from '../../../shared/http/body/reader.ts';
import { invalid } from '../../../shared/http/validate.ts';
import { inMemory, type VerifiableFile } from '../../../shared/signing/verification/verify-file.ts';
import { isSelector, NO_SELECTOR } from '../../../shared/signing/xades/xml/selector.ts';
import type { VerificationRequest } from '../domain/verification/verify-files.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** Reads a form with its parts, or the bytes of one file. Nothing of the body is read before. */
export const readVerificationBody = (body: Multipart | UnreadBody): Promise<VerificationRequest> =>
  'parts' in body ? readForm(body) : readBytes(body);

async function readBytes(body: UnreadBody): Promise<VerificationRequest> {
  const bytes = await body.bytes();
  const limitBytes = settings['Verification:MaxFileBytes'];
  if (bytes.length > limitBytes) throw tooLarge(limitBytes, bytes.length);
  if (bytes.length === 0) throw errors.refuse('UploadEmpty');
  return { file: inMemory(bytes), content: undefined, covers: [] };
}

const MAX_COVERED = 20;

async function readForm({ parts }: Multipart): Promise<VerificationRequest> {
  const files = new Map<string, VerifiableFile>();
  const covers: string[] = [];
  for await (const part of parts) {
    const problem = problemOf(part, { files, covers });
    if (problem !== undefined) throw invalid([{ field: part.name, message: problem }]);
    if (part.kind === 'field') covers.push(part.value);
    else files.set(part.name, inMemory(await buffer(part.content), nameOf(part)));
  }
  const file = files.get('file');
  if (!file || file.head.length === 0) throw errors.refuse('UploadEmpty');
  return { file, content: files.get('content'), covers };
}

/** The problem of a part, given the parts before it; undefined for a valid one. */
function problemOf(
  part: Part,
  { files, covers }: { files: ReadonlyMap<string, unknown>; covers: readonly string[] },
): string | undefined {
  if (part.name === 'covers') {
    if (part.kind === 'file') return 'must be a text, and a file was sent';
    if (covers.length === MAX_COVERED) return `may be given ${MAX_COVERED} times`;
    return isSelector(part.value) ? undefined : NO_SELECTOR;
  }
  if (part.name !== 'file' && part.name !== 'content') return 'is not known here';
  if (part.kind === 'field') return 'must be a file, and a text was sent';
  return files.has(part.name) ? 'may be given once' : undefined;
}

const nameOf = ({ fileName }: Extract<Part, { kind: 'file' }>): string | undefined =>
  fileName === undefined ? undefined : safeFileName(fileName);
