import { createHash } from 'node:crypto';
import { formatOfBytes, LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Document } from '../document/document.ts';
import { FileGone, streamOf } from '../document/newest-file.ts';
import { organizations } from '../places/organization.ts';
import { type ContentType, contentName, contentNotAvailable, isAvailable } from './content-types.ts';
import type { DrawRequest } from './drawn/draw.ts';
import { DrawingBusy, type DrawingOptions, drawInWorker, type NotDrawn } from './drawn/worker-pool.ts';
import { manifestOf } from './manifest.ts';
import { footerOf, marksOf } from './printed-texts.ts';
import { type Content, openStored, storedContentOf } from './stored-content.ts';

// A signature or a new version may replace a file between the look at its document and the opening of the file:
//
//   download  |-- reads: signed is 2 ------------------- opens 2: gone -- reads: signed is 3 -- opens 3 --|
//   signer         |-- 3 is signed -- 2 is removed --|
//
// A second look finds the newer one.
const MAX_LOOKS = 3;

/**
 * Opens a content of the document that `find` reads, which is asked again when the file was replaced meanwhile.
 * @example const content = await openContent(() => findDocument(id, caller), 'Signatures', { nowMs, deadlineAtMs, hangUp });
 */
export async function openContent(
  find: () => Promise<Document>,
  type: ContentType,
  request: ContentRequest,
): Promise<Content> {
  for (let look = 1; ; look++) {
    const document = await find();
    try {
      const kept = storedContentOf(type, document);
      return kept ? await openStored(kept) : await drawContent(type, document, request);
    } catch (error) {
      if (!(error instanceof FileGone)) throw error;
      if (look >= MAX_LOOKS) throw contentNotAvailable(type, document, 'the file is missing');
    }
  }
}

/** Why the pages of the original cannot be drawn on. */
type NotDrawnReason = NotDrawn | 'not-a-pdf' | 'too-large';

// In English for callers, and in Portuguese for the page that is handed out instead.
const REASONS: Readonly<Record<NotDrawnReason, { readonly told: string; readonly printed?: string }>> = {
  'not-a-pdf': { told: 'the original is not a PDF' },
  'too-large': {
    told: 'the original is larger than Downloads:MaxDrawnBytes',
    printed: 'O arquivo original é grande demais para ser impresso aqui. Baixe-o à parte.',
  },
  encrypted: {
    told: 'the original is encrypted',
    printed:
      'O arquivo original é um PDF protegido, e suas páginas não podem ser impressas aqui. Baixe-o à parte.',
  },
  broken: {
    told: 'the original is a PDF that cannot be read',
    printed:
      'O arquivo original é um PDF danificado, e suas páginas não podem ser impressas aqui. Baixe-o à parte.',
  },
  'too-long': {
    told: 'the original took too long to read',
    printed: 'O arquivo original é complexo demais para ser impresso aqui. Baixe-o à parte.',
  },
};

/** Who asks for a content, and until when. */
export type ContentRequest = Omit<DrawingOptions, 'organizationId'> & { readonly nowMs: number };

/** Draws what is not kept: marks on the original, its printable version, the manifest. */
export async function drawContent(
  type: ContentType,
  document: Document,
  { nowMs, ...waiting }: ContentRequest,
): Promise<Content> {
  const turn = { ...waiting, organizationId: document.organizationId };
  const original = await readOriginal(document);
  const { sha256 } = original;
  const organization = await organizations.get(document.organizationId);
  const organizationName = organization?.name ?? null;
  const manifest = (note?: string) =>
    manifestOf(document, { sha256, organizationName, ...(note !== undefined && { note }) });
  const marks = isAvailable('OriginalWithMarks', document) ? marksOf(document) : [];
  const page = { title: document.name, atMs: nowMs };

  const onOriginal = async (
    order: (bytes: Uint8Array) => DrawRequest,
  ): Promise<Uint8Array | NotDrawnReason> =>
    'reason' in original ? original.reason : drawOrRefuse(order(original.bytes), turn);
  const alone = async (note?: string): Promise<Uint8Array> => {
    const drawn = await drawOrRefuse({ kind: 'manifest', manifest: manifest(note), ...page }, turn);
    if (typeof drawn === 'string') throw new Error(`A manifest was not drawn: ${drawn}.`);
    return drawn;
  };

  if (type === 'OriginalWithMarks') {
    const drawn = await onOriginal((bytes) => ({ kind: 'marked', original: bytes, marks, ...page }));
    if (typeof drawn === 'string') throw contentNotAvailable(type, document, REASONS[drawn].told);
    return pdfContent(type, document, drawn);
  }
  if (type === 'SignaturesManifest') return pdfContent(type, document, await alone());
  const drawn = await onOriginal((bytes) => ({
    kind: 'printable',
    original: bytes,
    marks,
    manifest: manifest(),
    footer: footerOf(document, sha256),
    ...page,
  }));
  return pdfContent(type, document, typeof drawn === 'string' ? await alone(REASONS[drawn].printed) : drawn);
}

// A drawing takes about so long, where the queue is full of them.
const RETRY_AFTER_SECONDS = 5;

async function drawOrRefuse(order: DrawRequest, turn: DrawingOptions): Promise<Uint8Array | NotDrawn> {
  const timeoutMs = settings['Downloads:DrawingTimeout'] * 1000;
  const drawing = await drawInWorker(order, timeoutMs, turn).catch((error: unknown) => {
    if (!(error instanceof DrawingBusy)) throw error;
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
    throw errors.refuse('TooManyRequests', { reason: 'too many drawings are waiting' }, { headers });
  });
  return 'bytes' in drawing ? drawing.bytes : drawing.notDrawn;
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

/** The original's hash, and its bytes where they can be drawn on: a large file passes through and is not kept. */
async function readOriginal({ original: { key, size } }: Document): Promise<Original> {
  const hash = createHash('sha256');
  const isSmall = size <= settings['Downloads:MaxDrawnBytes'];
  const chunks: Uint8Array[] = [];
  let kept = 0;
  for await (const chunk of streamOf(key)) {
    hash.update(chunk);
    if (isSmall || kept < LOOKED_AT_BYTES) {
      chunks.push(chunk);
      kept += chunk.length;
    }
  }
  const bytes = Buffer.concat(chunks);
  const sha256 = hash.digest('hex');
  if (formatOfBytes(bytes.subarray(0, LOOKED_AT_BYTES)) !== 'pades') return { sha256, reason: 'not-a-pdf' };
  return isSmall ? { sha256, bytes } : { sha256, reason: 'too-large' };
}
