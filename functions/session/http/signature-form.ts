import type * as z from 'zod';
import { Problem, type Refusal } from '../../../shared/errors/errors.ts';
import type { FilePart, Multipart } from '../../../shared/http/body/multipart.ts';
import type { SignDocument } from '../contract.ts';
import type { IncomingDocument, IncomingPart, NamedUpload } from '../domain/signing/incoming.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

const DEFAULT_NAME = 'document.pdf';
const UPLOAD_AND_DOCUMENT = { field: 'uploadId', reason: 'takes the place of document' };

const SESSION_TWICE = { field: 'sessionId', reason: 'is given more than once' };

/** The session, the files and the named uploads of a form, as they arrive. Other parts are skipped. */
export async function* readForm(
  { parts }: Multipart,
  fileField: string,
  maxDocuments: number,
): AsyncGenerator<IncomingPart> {
  let hasSession = false;
  let documents = 0;
  for await (const part of parts) {
    const isUpload = part.kind === 'field' && part.name === 'uploadId';
    const isFile = part.kind === 'file' && part.name === fileField;
    if ((isUpload || isFile) && ++documents > maxDocuments)
      throw errors.refuse('INVALID_REQUEST', { field: fileField, reason: `at most ${maxDocuments} fit` });
    if (isUpload) yield { document: { uploadId: part.value } };
    if (part.kind === 'field' && part.name === 'sessionId') {
      if (hasSession) throw errors.refuse('INVALID_REQUEST', SESSION_TWICE);
      hasSession = true;
      yield { sessionId: part.value };
    }
    if (isFile) yield { document: await readFile(part) };
  }
}

async function readFile({ fileName = DEFAULT_NAME, content }: FilePart): Promise<IncomingDocument> {
  try {
    return { fileName, content: Buffer.concat(await content.toArray()) };
  } catch (error) {
    // A file that is too large is one document's failure. The rest of the form is still read.
    if (!(error instanceof Problem) || error.situation !== 'tooLarge') throw error;
    return { fileName, content: errors.refuse('DOCUMENT_TOO_LARGE', error.details) };
  }
}

type DocumentRequest = {
  readonly sessionId: string;
  readonly document: IncomingDocument | NamedUpload;
};
const NO_DOCUMENT: IncomingDocument = { fileName: DEFAULT_NAME, content: Buffer.alloc(0) };

/** Reads one document from JSON or from a form. */
export async function readDocument(
  body: z.output<typeof SignDocument> | Multipart,
): Promise<DocumentRequest> {
  if (!('parts' in body)) {
    const { sessionId, document, fileName, uploadId } = body;
    if (uploadId && document) throw errors.refuse('INVALID_REQUEST', UPLOAD_AND_DOCUMENT);
    if (uploadId) return { sessionId, document: { uploadId } };
    // Without folders, like the file name of a form.
    const name = fileName?.split(/[/\\]/).at(-1) || DEFAULT_NAME;
    return { sessionId, document: { fileName: name, content: decodeBase64(document ?? '') } };
  }
  let sessionId = '';
  let document: DocumentRequest['document'] = NO_DOCUMENT;
  for await (const part of readForm(body, 'document', 1)) {
    if ('sessionId' in part) sessionId = part.sessionId;
    else document = part.document;
  }
  if (sessionId === '') throw errors.refuse('INVALID_REQUEST', { field: 'sessionId', reason: 'is required' });
  return { sessionId, document };
}

const NOT_BASE64 = { field: 'document', reason: 'is not base64' };

// Base64 made for mail has line breaks. Node's decoder skips other invalid characters and reads the alphabet for URLs;
// both are refused here. A skipped character shows in the length: a regular expression over a document takes 50 times as
// long as decoding it.
function decodeBase64(text: string): Buffer | Refusal {
  const plain = text.replaceAll('\r', '').replaceAll('\n', '');
  const padding = plain.endsWith('==') ? 2 : plain.endsWith('=') ? 1 : 0;
  const content = Buffer.from(plain, 'base64');
  const isBase64 =
    content.length === Math.floor(((plain.length - padding) * 3) / 4) &&
    plain.length % 4 !== 1 &&
    !plain.includes('-') &&
    !plain.includes('_');
  return isBase64 ? content : errors.refuse('INVALID_REQUEST', NOT_BASE64);
}

/** The longest request with a document of this size: base64 with line breaks, in JSON. */
export const maxEncodedBytes = (bytes: number): number =>
  Math.ceil(bytes / 3) * 4 + Math.ceil(bytes / 57) * 4 + settings['Signing:TransportHeadroomBytes'];
