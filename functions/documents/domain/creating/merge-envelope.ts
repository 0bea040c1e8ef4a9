import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { ThreadsBusy } from '../../../../shared/async/thread-pool.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { streamFile } from '../../../../shared/files/stored-file.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import type { Part, PdfValues } from '../document/document.ts';
import type { Drawing, NotMerged } from '../downloads/drawn/draw-request.ts';
import { drawInWorker } from '../downloads/drawn/worker-pool.ts';
import { taskMessage } from '../tasks.ts';
import { receiveUpload } from '../uploads/receive-upload.ts';
import { taking } from '../uploads/take-or-collect.ts';
import { fileOf, tooLarge, type Upload } from '../uploads/upload.ts';
import { type FillOptions, notFillable } from './fill-files.ts';

// The parts of an envelope become one file before there is a document:
//
//   parts as uploaded --local files, in a thread--> one file, an upload of its own --|-- all taken, document of the one --|
//
// After a refusal or a kill the merged upload is collected, as any that no document took. The parts are removed once the
// document exists.

/** A file of the request, as it is shown. */
export type EnvelopePart = { readonly upload: Stored<Upload>; readonly name: string };

export type EnvelopeRequest = {
  readonly name: string;
  readonly parts: readonly EnvelopePart[];
  readonly values: string | PdfValues | null;
};

export type Envelope = {
  readonly upload: Stored<Upload>;
  readonly parts: readonly Part[];
  /** The writes that take the merged file and remove the others. */
  readonly writes: readonly Write[];
};

// The largest part is held three times in memory while it is read, of the 1,024 MB of a function.
const MAX_ENVELOPE_BYTES = 52_428_800;
// The call has 29 seconds in all.
const MERGING_TIMEOUT_MS = 15_000;
const READ_AT_ONCE = 4;
const RETRY_AFTER = { 'retry-after': '5' };

/** Merges the files of an envelope. Refused by the name of the part that cannot be in one. */
export async function mergeEnvelope(request: EnvelopeRequest, options: FillOptions): Promise<Envelope> {
  const { name, parts } = request;
  const bytes = parts.reduce((sum, { upload }) => sum + upload.size, 0);
  if (bytes > MAX_ENVELOPE_BYTES) throw tooLarge(new TooLarge('envelope', MAX_ENVELOPE_BYTES, bytes));
  for (const part of parts)
    if (part.upload.kind !== 'pdf' && part.upload.kind !== 'pdf-inside') throw notUsable(part, 'not-a-pdf');
  const organizationId = parts[0]?.upload.organizationId ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'sinete-envelope-'));
  try {
    const target = join(folder, 'envelope.pdf');
    const hashes = await fetchParts(parts, folder);
    const pages = await mergeFiles(request, { folder, target, bytes }, { ...options, organizationId });
    const file = { organizationId, name: `${name}.pdf`, contentType: 'application/pdf' };
    const upload = await receiveUpload({ ...file, content: createReadStream(target) }, options.now());
    const removed = taskMessage({ task: 'removeFiles', keys: parts.map((part) => fileOf(part.upload)) });
    return { upload, parts: describeParts(parts, pages, hashes), writes: [taking(upload), removed] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const pathOf = (folder: string, index: number): string => join(folder, `${index}.pdf`);

/** Brings the parts to local files. Answers their SHA-256, in hexadecimal digits. */
async function fetchParts(parts: readonly EnvelopePart[], folder: string): Promise<string[]> {
  const hashes: string[] = [];
  await forEachConcurrently(READ_AT_ONCE, parts.entries(), async ([index, { upload }]) => {
    const hash = createHash('sha256');
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of streamFile('documents', fileOf(upload))) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await pipeline(hashed, createWriteStream(pathOf(folder, index)));
    hashes[index] = hash.digest('hex');
  });
  return hashes;
}

type Files = { readonly folder: string; readonly target: string; readonly bytes: number };

/** Answers how many pages each part has. */
async function mergeFiles(
  { name: title, parts, values }: EnvelopeRequest,
  { folder, target, bytes }: Files,
  options: FillOptions & { readonly organizationId: string },
): Promise<readonly number[]> {
  const { fields = {}, metadata = {} } = typeof values === 'string' ? {} : (values ?? {});
  const named = parts.map(({ name }, index) => ({ name, path: pathOf(folder, index) }));
  const request = {
    kind: 'merged',
    title,
    atMs: options.now(),
    parts: named,
    target,
    bytes,
    fields,
    metadata,
  } as const;
  const merging = drawInWorker(request, MERGING_TIMEOUT_MS, options);
  const drawing: Drawing = await merging.catch((error: unknown) => {
    if (!(error instanceof ThreadsBusy)) throw error;
    throw errors.refuse(
      'TooManyRequests',
      { reason: 'too many files are being merged' },
      { headers: RETRY_AFTER },
    );
  });
  if ('merged' in drawing) return drawing.merged.pages;
  if ('notFilled' in drawing) throw notFillable(parts[0]?.upload.id ?? '', drawing.notFilled.explanation);
  const refused = 'notMerged' in drawing ? parts[drawing.notMerged.part] : undefined;
  if (refused && 'notMerged' in drawing) throw notUsable(refused, drawing.notMerged.reason);
  // The thread ran out of time or memory, and cannot tell which part it was.
  throw errors.refuse('EnvelopePartNotUsable', { reason: REASONS['too-complex'] });
}

const REASONS: Readonly<Record<NotMerged['reason'] | 'not-a-pdf' | 'too-complex', string>> = {
  'not-a-pdf': 'The file is no PDF. An envelope holds PDFs alone: attach it to the document.',
  encrypted: 'The PDF is encrypted. Remove its password, and upload it again.',
  broken: 'The PDF is damaged, and cannot be read. Save it again with another program.',
  signed:
    'The PDF is signed already, and would lose its signatures in an envelope. Send it as a document of its own.',
  'with-files':
    'The PDF has files inside of it, which an envelope would lose. Send it as a document of its own.',
  dynamic: 'The PDF is a dynamic XFA form, which has no pages of its own. Print it to a PDF.',
  'too-long': 'With the pages of this PDF the envelope has more than 20,000.',
  'too-complex':
    'The files are too complex to be merged in the time of a call. Send fewer of them in one envelope.',
};

const notUsable = ({ upload, name }: EnvelopePart, reason: keyof typeof REASONS) =>
  errors.refuse('EnvelopePartNotUsable', { uploadId: upload.id, name, reason: REASONS[reason] });

function describeParts(
  parts: readonly EnvelopePart[],
  pages: readonly number[],
  hashes: readonly string[],
): Part[] {
  let startPage = 1;
  return parts.map(({ upload, name }, index) => {
    const count = pages[index] ?? 0;
    const part = {
      uploadId: upload.id,
      name,
      startPage,
      pages: count,
      size: upload.size,
      sha256: hashes[index] ?? '',
    };
    startPage += count;
    return part;
  });
}
