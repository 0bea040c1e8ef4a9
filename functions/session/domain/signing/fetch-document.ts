import { Readable } from 'node:stream';
import { isConcluded } from '../../../../shared/platform/documents.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { errors } from '../../errors.ts';
import type { Deadline } from '../deadline.ts';
import { platform } from './platform.ts';

// The platform's final states without a signed version, and the reason in our answer.
const ENDED: Readonly<Record<string, string>> = {
  Refused: 'refused',
  Canceled: 'cancelled',
  Expired: 'expired',
};

/**
 * The signed PDF, streamed from the signature service. Its status decides alone: a document that still waits for another
 * signer has a content too. So both are asked for at once, and a content that may not be given is dropped.
 */
export async function fetchDocument(signatureId: string, deadline: Deadline): Promise<Readable> {
  const opening = openContent(signatureId, deadline);
  opening.catch(() => undefined); // Its failure counts only once the status is known.
  try {
    const status = await platform.statusOf(signatureId, deadline).catch(orNotFound);
    const ended = ENDED[status];
    if (ended) throw errors.refuse('DOCUMENT_UNAVAILABLE', { reason: ended });
    if (!isConcluded(status)) throw errors.refuse('DOCUMENT_NOT_READY');
    const content = await opening.catch((error: unknown) => {
      // The document may have been concluded between the two answers.
      if (error instanceof PlatformRefused) return openContent(signatureId, deadline);
      throw error;
    });
    return Readable.from(withRefusal(content), { objectMode: false });
  } catch (error) {
    dropUnread(opening);
    const isPlatformFailure = error instanceof PlatformRefused || error instanceof PlatformUnreachable;
    throw isPlatformFailure ? errors.refuse('SIGNER_ERROR', { reason: error.message }) : error;
  }
}

// Platforms refuse a malformed id with 400 or 422.
const NO_SUCH_ID = [400, 404, 422];

const orNotFound = (error: unknown): never => {
  const isUnknown = error instanceof PlatformRefused && NO_SUCH_ID.includes(error.status);
  throw isUnknown ? errors.refuse('DOCUMENT_NOT_FOUND') : error;
};

const openContent = async (signatureId: string, deadline: Deadline): Promise<Readable> =>
  (await platform.openSigned(signatureId, deadline)).stream;

// An unread answer holds its connection. Destroyed without a listener, the stream throws at the process.
function dropUnread(opening: Promise<Readable>): void {
  opening.then(
    (stream) => stream.on('error', () => undefined).destroy(),
    () => undefined,
  );
}

// A broken stream is a refusal while nothing was answered yet. After that, the connection is cut.
async function* withRefusal(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch {
    throw errors.refuse('SIGNER_ERROR', {
      reason: 'The signature service broke off while it sent the document.',
    });
  }
}
