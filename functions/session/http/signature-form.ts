import type * as z from 'zod';
import { Problem, type Refusal } from '../../../shared/errors/errors.ts';
import type { FilePart, Multipart } from '../../../shared/http/body/multipart.ts';
import type { SignDocument } from '../contract.ts';
import type { IncomingPart } from '../domain/signing/arriving.ts';
import type { IncomingDocument } from '../domain/signing/incoming.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

const NAMELESS = 'document.pdf';

const SESSION_TWICE = { field: 'sessionId', reason: 'is given more than once' };

/** The parts of a form that matter, as they arrive: the session, and the files under this name. */
export async function* readForm({ parts }: Multipart, fileField: string): AsyncGenerator<IncomingPart> {
  let isNamed = false;
  for await (const part of parts) {
    if (part.kind === 'field' && part.name === 'sessionId') {
      if (isNamed) throw errors.refuse('INVALID_REQUEST', SESSION_TWICE);
      isNamed = true;
      yield { sessionId: part.value };
    }
    if (part.kind === 'file' && part.name === fileField) yield { document: await received(part) };
  }
}

async function received({ fileName = NAMELESS, content }: FilePart): Promise<IncomingDocument> {
  try {
    return { fileName, content: Buffer.concat(await content.toArray()) };
  } catch (error) {
    // One that is too large is a document's own fault, and the form goes on behind it.
    if (!(error instanceof Problem) || error.situation !== 'tooLarge') throw error;
    return { fileName, content: errors.refuse('DOCUMENT_TOO_LARGE', error.details) };
  }
}

type OneDocument = { readonly sessionId: string; readonly document: IncomingDocument };
const NO_DOCUMENT: IncomingDocument = { fileName: NAMELESS, content: Buffer.alloc(0) };

/** One document in either shape of the request. */
export async function readDocument(body: z.output<typeof SignDocument> | Multipart): Promise<OneDocument> {
  if (!('parts' in body)) {
    const { sessionId, document, fileName } = body;
    // As the name of a part is taken: without any folder.
    const name = fileName?.split(/[/\\]/).at(-1) || NAMELESS;
    return { sessionId, document: { fileName: name, content: decoded(document ?? '') } };
  }
  let sessionId = '';
  let document = NO_DOCUMENT;
  for await (const part of readForm(body, 'document')) {
    if ('sessionId' in part) sessionId = part.sessionId;
    else document = part.document;
  }
  if (sessionId === '') throw errors.refuse('INVALID_REQUEST', { field: 'sessionId', reason: 'is required' });
  return { sessionId, document };
}

const NOT_BASE64 = { field: 'document', reason: 'is not base64' };

// Line breaks are common in base64 that was made for mail. Anything else that is no base64 is no document.
function decoded(text: string): Buffer | Refusal {
  const plain = text.replace(/[\r\n]/g, '');
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(plain) && plain.length % 4 !== 1;
  return isBase64 ? Buffer.from(plain, 'base64') : errors.refuse('INVALID_REQUEST', NOT_BASE64);
}

/** How long a request with a document of this size is at most: base64, with line breaks, in JSON. */
export const maxEncodedBytes = (bytes: number): number =>
  Math.ceil(bytes / 3) * 4 + Math.ceil(bytes / 57) * 4 + settings['Signing:TransportHeadroomBytes'];
