import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { findUnusedKey, indexEntriesOf } from '../../documents/domain/document-keys.ts';
import { openFile } from '../../files/domain/receive-file.ts';
import { receiveVisual } from '../../pdf/domain/visual.ts';
import { asksForXml, xmlOptions } from '../../signatures/domain/xml-options.ts';
import type { NewSessionDocument } from '../contract/documents.ts';
import type { DocumentUpload } from './add-document.ts';

type Request = z.output<typeof NewSessionDocument>;

// The caller is behind an API gateway, which waits 29 s. Files at addresses share this time.
const DOWNLOADS_MS = 20_000;
const MAX_DOWNLOAD_MS = 10_000;

type PdfOptions = Pick<Request, 'pdfSignatureOptions'>;

const hasImageAtAddress = ({ pdfSignatureOptions }: PdfOptions): boolean =>
  Boolean(pdfSignatureOptions?.visualRepresentation?.image?.resource.url);

/** The time that each file at an address has, images of looks among them. */
export const downloadMsOf = (session: PdfOptions, documents: readonly Request[]): number => {
  const downloads = documents.filter(({ file }) => file?.url || file?.location).length;
  const images = [session, ...documents].filter(hasImageAtAddress).length;
  return Math.min(MAX_DOWNLOAD_MS, DOWNLOADS_MS / Math.max(downloads + images, 1));
};

/** A document of a request, wherever its file is. Refuses a key that is not the caller's, or is used. */
export async function openUpload(
  caller: Caller,
  request: Request,
  nowMs: number,
  downloadMs = MAX_DOWNLOAD_MS,
): Promise<DocumentUpload> {
  const { name, contentType, content, file, documentKey, metadata } = request;
  const { signatureType, xmlSignatureOptions } = request;
  const isXml = asksForXml(xmlSignatureOptions);
  const key = documentKey ? await findUnusedKey(caller, documentKey) : undefined;
  const options = {
    documentKey: key?.key,
    keyEntries: key ? indexEntriesOf(key) : 0,
    metadata: metadata ?? undefined,
    signatureType: signatureType ?? (isXml ? ('Xml' as const) : undefined),
    xades: isXml ? xmlOptions(xmlSignatureOptions) : undefined,
    isDetached: request.cmsSignatureOptions?.detached ?? undefined,
    visual: await receiveVisual(caller, request.pdfSignatureOptions, nowMs, downloadMs),
  };
  if (!file) return { ...options, name, contentType, content: Buffer.from(content ?? '', 'base64') };
  const opened = await openFile(caller, file, nowMs, downloadMs);
  return {
    ...options,
    name: name ?? opened.name,
    contentType: contentType ?? opened.contentType,
    content: opened.stream(),
  };
}
