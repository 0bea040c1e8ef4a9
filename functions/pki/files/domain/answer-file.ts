import { Readable } from 'node:stream';
import type { Caller } from '../../../../shared/access/caller.ts';
import { fileModel, linkTo } from './file-model.ts';
import { storePlain } from './upload.ts';

// Lambda answers with 6 MB at most, and base64 takes four bytes for three.
export const MAX_INLINE_BYTES = 4_000_000;

type Made = { readonly bytes: Buffer; readonly name: string | null; readonly contentType: string };

/** A file that an operation made: inside the answer, or as a blob with a link where it is large or the caller wants one. */
export async function answerFile(
  caller: Caller,
  { bytes, name, contentType }: Made,
  forceBlobResult: boolean | null | undefined,
  nowMs: number,
) {
  const model = { name, contentType, size: bytes.length };
  if (!forceBlobResult && bytes.length <= MAX_INLINE_BYTES) return fileModel({ ...model, content: bytes });
  const content = Readable.from([bytes]);
  const { token, key } = await storePlain(caller, { name: name ?? undefined, contentType, content }, nowMs);
  return fileModel({
    ...model,
    blobToken: token,
    url: await linkTo(key, name ?? (contentType === 'application/pdf' ? 'file.pdf' : 'file.bin')),
  });
}

/** The same in the form of the earlier generation. */
export const earlierFileModel = ({
  mimeType,
  content,
  blobToken,
  url,
}: Awaited<ReturnType<typeof answerFile>>) => ({ mimeType, content, blobToken, url });
