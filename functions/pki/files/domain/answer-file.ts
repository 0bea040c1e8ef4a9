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
  made: Made,
  forceBlobResult: boolean | null | undefined,
  nowMs: number,
) {
  const { bytes, name, contentType } = made;
  if (forceBlobResult || bytes.length > MAX_INLINE_BYTES) return answerLink(caller, made, nowMs);
  return fileModel({ name, contentType, size: bytes.length, content: bytes });
}

/** The same as a blob with a link alone. */
async function answerLink(caller: Caller, { bytes, name, contentType }: Made, nowMs: number) {
  const content = Readable.from([bytes]);
  const { token, key } = await storePlain(caller, { name: name ?? undefined, contentType, content }, nowMs);
  return fileModel({
    ...{ name, contentType, size: bytes.length },
    blobToken: token,
    url: await linkTo(key, name ?? (contentType === 'application/pdf' ? 'file.pdf' : 'file.bin')),
  });
}

/** A link, and the file inside the answer too where it fits: some clients read the one, and some the other. */
export async function answerFileWithLink(caller: Caller, made: Made, nowMs: number) {
  const linked = await answerLink(caller, made, nowMs);
  const fits = made.bytes.length <= MAX_INLINE_BYTES;
  return { ...linked, content: fits ? made.bytes.toString('base64') : null };
}

/** A file in the form of the earlier generation. */
export const earlierFileModel = ({
  mimeType,
  content,
  blobToken,
  url,
}: Awaited<ReturnType<typeof answerFile>>) => ({ mimeType, content, blobToken, url });
