import { ThreadsBusy, type Turn } from '../../../../shared/async/thread-pool.ts';
import { readFile } from '../../../../shared/files/stored-file.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { PdfValues } from '../document/document.ts';
import type { NotDrawn } from '../downloads/drawn/draw-request.ts';
import { drawInWorker } from '../downloads/drawn/worker-pool.ts';
import { taskMessage } from '../tasks.ts';
import { receiveUpload } from '../uploads/receive-upload.ts';
import { taking } from '../uploads/take-or-collect.ts';
import { fileOf, type Upload } from '../uploads/upload.ts';

// A document is signed as it stands, so values are written into its file before there is a document:
//
//   file as uploaded --in a thread--> filled file, an upload of its own --|-- both taken, document of the filled one --|
//
// After a refusal or a kill the filled upload is collected, as any that no document took.

/** The clock and the deadline of a request whose files are filled. */
export type FillOptions = Omit<Turn, 'organizationId'>;

export type FilledFiles = {
  /** The uploads that documents are made of, by the ids of those that the request names. */
  readonly uploads: ReadonlyMap<string, Stored<Upload>>;
  readonly writes: readonly Write[];
};

/** The files with these values in them. A text is no value of a file. */
export async function fillFiles(
  found: readonly Stored<Upload>[],
  values: string | PdfValues | null,
  options: FillOptions,
): Promise<FilledFiles> {
  if (values === null || typeof values === 'string') return { uploads: new Map(), writes: [] };
  const uploads = new Map<string, Stored<Upload>>();
  for (const upload of found) uploads.set(upload.id, await fillOne(upload, values, options));
  const replaced = taskMessage({ task: 'removeFiles', keys: found.map(fileOf) });
  return { uploads, writes: [...[...uploads.values()].map(taking), replaced] };
}

// The call has 29 seconds in all.
const FILLING_TIMEOUT_MS = 10_000;
const RETRY_AFTER = { 'retry-after': '5' };

async function fillOne(
  upload: Stored<Upload>,
  values: PdfValues,
  options: FillOptions,
): Promise<Stored<Upload>> {
  const { id: uploadId, organizationId, name, size, kind } = upload;
  if (kind !== 'pdf' && kind !== 'pdf-inside') throw notFillable(uploadId, 'The file is no PDF.');
  if (size > settings['Downloads:MaxDrawnBytes'])
    throw notFillable(uploadId, 'The file is larger than Downloads:MaxDrawnBytes.');
  const original = await readFile('documents', { key: fileOf(upload), size });
  const request = { kind: 'filled', title: '', atMs: options.now(), original, ...values } as const;
  const filling = drawInWorker(request, FILLING_TIMEOUT_MS, { ...options, organizationId });
  const filled = await filling.catch((error: unknown) => {
    if (!(error instanceof ThreadsBusy)) throw error;
    throw errors.refuse(
      'TooManyRequests',
      { reason: 'too many files are being filled' },
      { headers: RETRY_AFTER },
    );
  });
  if ('notFilled' in filled) throw notFillable(uploadId, filled.notFilled.explanation);
  if ('notDrawn' in filled) throw notFillable(uploadId, NOT_DRAWN[filled.notDrawn]);
  if (!('bytes' in filled)) throw new Error('A form was answered as something else.');
  const content = Buffer.from(filled.bytes);
  const { contentType } = upload;
  return receiveUpload({ organizationId, name: name ?? undefined, contentType, content }, options.now());
}

const NOT_DRAWN: Readonly<Record<NotDrawn, string>> = {
  encrypted: 'The PDF is encrypted.',
  broken: 'The PDF cannot be read.',
  signed: 'The PDF is signed.',
  'too-long': 'The PDF took too long to fill in.',
};

export const notFillable = (uploadId: string, reason: string) =>
  errors.refuse('FormNotFillable', { uploadId, reason });
