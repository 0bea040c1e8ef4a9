import { createHash } from 'node:crypto';
import { ThreadsBusy, type Turn } from '../../../../shared/async/thread-pool.ts';
import { FileGone, streamFile } from '../../../../shared/files/stored-file.ts';
import { formatOfBytes, LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import type { ContentType } from '../../contract/downloads.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Document } from '../document/document.ts';
import { evidencesOf } from '../document/evidence.ts';
import { recentOrganization } from '../places/organization.ts';
import { contentName, contentNotAvailable, isAvailable } from './content-types.ts';
import type { DrawRequest, NotDrawn } from './drawn/draw-request.ts';
import { drawInWorker } from './drawn/worker-pool.ts';
import { readImages } from './evidence-texts.ts';
import { manifestOf } from './manifest.ts';
import { footerOf, marksOf } from './printed-texts.ts';
import { type Content, openStored, storedContentOf } from './stored-content.ts';

// A signature or a new version may replace a file after its document is read and before the file is opened:
//
//   download  |-- reads: signed is 2 ------------------- opens 2: gone -- reads: signed is 3 -- opens 3 --|
//   signer         |-- 3 is signed -- 2 is removed --|
//
// A second read finds the newer file.
const MAX_READS = 3;

/**
 * Opens a content of the document that `find` reads. `find` is called again when the file was replaced meanwhile.
 * @example const content = await openContent(() => findDocument(caller, id), 'Signatures', { now, deadlineAtMs, hangUp });
 */
export async function openContent(
  find: () => Promise<Document>,
  type: ContentType,
  request: ContentRequest,
): Promise<Content> {
  for (let reads = 1; ; reads++) {
    const document = await find();
    try {
      const stored = storedContentOf(type, document, request.now());
      return stored ? await openStored(stored) : await drawContent(type, document, request);
    } catch (error) {
      if (!(error instanceof FileGone)) throw error;
      if (reads >= MAX_READS) throw contentNotAvailable(type, document, 'the file is missing');
    }
  }
}

/** Why the pages of the original cannot be drawn on. */
type NotDrawnReason = NotDrawn | 'not-a-pdf' | 'too-large';

// In English for callers, and in Portuguese for the page that is printed instead.
const REASONS: Readonly<Record<NotDrawnReason, { readonly reason: string; readonly printed?: string }>> = {
  'not-a-pdf': { reason: 'the original is not a PDF' },
  'too-large': {
    reason: 'the original is larger than Downloads:MaxDrawnBytes',
    printed: 'O arquivo original é grande demais para ser impresso aqui. Baixe-o à parte.',
  },
  encrypted: {
    reason: 'the original is encrypted',
    printed:
      'O arquivo original é um PDF protegido, e suas páginas não podem ser impressas aqui. Baixe-o à parte.',
  },
  signed: { reason: 'the original is signed' },
  broken: {
    reason: 'the original is a PDF that cannot be read',
    printed:
      'O arquivo original é um PDF danificado, e suas páginas não podem ser impressas aqui. Baixe-o à parte.',
  },
  'too-long': {
    reason: 'the original took too long to read',
    printed: 'O arquivo original é complexo demais para ser impresso aqui. Baixe-o à parte.',
  },
};

/** The clock and the deadline of a request for a content. */
export type ContentRequest = Omit<Turn, 'organizationId'>;

/** Draws a content that is not stored: the original with marks, its printable version, the manifest. */
async function drawContent(
  type: ContentType,
  document: Document,
  { now, deadlineAtMs, hangUp }: ContentRequest,
): Promise<Content> {
  const nowMs = now();
  const options = { now, deadlineAtMs, hangUp, organizationId: document.organizationId };
  const [original, organization, chain] = await Promise.all([
    readOriginal(document),
    recentOrganization(document.organizationId),
    evidencesOf(document),
  ]);
  const { sha256 } = original;
  const organizationName = organization?.name ?? null;
  const manifest = (note?: string) =>
    manifestOf(document, { sha256, organizationName, nowMs, chain, ...(note !== undefined && { note }) });
  const marks = isAvailable('OriginalWithMarks', document, nowMs)
    ? marksOf(document, await readImages(chain))
    : [];
  const page = { title: document.name, atMs: nowMs };

  const onOriginal = async (
    requestOf: (bytes: Uint8Array) => DrawRequest,
  ): Promise<Uint8Array | NotDrawnReason> =>
    'reason' in original ? original.reason : drawOrRefuse(requestOf(original.bytes), options);
  const manifestAlone = async (note?: string): Promise<Uint8Array> => {
    const drawn = await drawOrRefuse({ kind: 'manifest', manifest: manifest(note), ...page }, options);
    if (typeof drawn === 'string') throw new Error(`A manifest was not drawn: ${drawn}.`);
    return drawn;
  };

  if (type === 'OriginalWithMarks') {
    const drawn = await onOriginal((bytes) => ({ kind: 'marked', original: bytes, marks, ...page }));
    if (typeof drawn === 'string') throw contentNotAvailable(type, document, REASONS[drawn].reason);
    return pdfContent(type, document, drawn);
  }
  if (type === 'SignaturesManifest') return pdfContent(type, document, await manifestAlone());
  const drawn = await onOriginal((bytes) => ({
    kind: 'printable',
    original: bytes,
    marks,
    manifest: manifest(),
    footer: footerOf(document, sha256),
    ...page,
  }));
  return pdfContent(
    type,
    document,
    typeof drawn === 'string' ? await manifestAlone(REASONS[drawn].printed) : drawn,
  );
}

// About the time of one drawing in a full queue.
const RETRY_AFTER_SECONDS = 5;

// The function that draws has 60 s.
const DRAWING_TIMEOUT_MS = 20_000;

async function drawOrRefuse(request: DrawRequest, options: Turn): Promise<Uint8Array | NotDrawn> {
  const drawing = await drawInWorker(request, DRAWING_TIMEOUT_MS, options).catch((error: unknown) => {
    if (!(error instanceof ThreadsBusy)) throw error;
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
    throw errors.refuse('TooManyRequests', { reason: 'too many drawings are waiting' }, { headers });
  });
  if ('bytes' in drawing) return drawing.bytes;
  if ('notDrawn' in drawing) return drawing.notDrawn;
  throw new Error('A drawing was answered as something else.');
}

const pdfContent = (type: ContentType, document: Document, bytes: Uint8Array): Content => ({
  name: contentName(type, document),
  contentType: 'application/pdf',
  size: bytes.length,
  body: bytes,
});

type Original = { readonly sha256: string } & (
  | { readonly bytes: Buffer }
  | { readonly reason: NotDrawnReason }
);

/** The original's hash, and its bytes where they can be drawn on. A large file is hashed and not held in memory. */
async function readOriginal({ original: { key, size } }: Document): Promise<Original> {
  const hash = createHash('sha256');
  const isSmall = size <= settings['Downloads:MaxDrawnBytes'];
  const chunks: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of streamFile('documents', key)) {
    hash.update(chunk);
    if (isSmall || heldBytes < LOOKED_AT_BYTES) {
      chunks.push(chunk);
      heldBytes += chunk.length;
    }
  }
  const bytes = Buffer.concat(chunks);
  const sha256 = hash.digest('hex');
  if (formatOfBytes(bytes.subarray(0, LOOKED_AT_BYTES)) !== 'pades') return { sha256, reason: 'not-a-pdf' };
  return isSmall ? { sha256, bytes } : { sha256, reason: 'too-large' };
}
