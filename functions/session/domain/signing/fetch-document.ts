import { Readable } from 'node:stream';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedStream } from '../../../../shared/net/guarded.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { isConcluded, statusOf } from './platform.ts';
import { PlatformRefused, PlatformUnreachable, platformAddress, read } from './platform-call.ts';

// How a document ended at the platform without a signed version, as the caller is told.
const ENDED: Readonly<Record<string, string>> = {
  Refused: 'refused',
  Canceled: 'cancelled',
  Expired: 'expired',
};

/** The signed PDF, as it flows from the signature service. */
export async function fetchDocument(signatureId: string, deadlineAtMs: number): Promise<Readable> {
  try {
    const status = await statusOf(signatureId, deadlineAtMs).catch(orNotFound);
    const ended = ENDED[status];
    if (ended) throw errors.refuse('DOCUMENT_UNAVAILABLE', { reason: ended });
    if (!isConcluded(status)) throw errors.refuse('DOCUMENT_NOT_READY');
    return await signedContent(signatureId, deadlineAtMs);
  } catch (error) {
    const isUnasked = error instanceof PlatformRefused || error instanceof PlatformUnreachable;
    throw isUnasked ? errors.refuse('SIGNER_ERROR', { reason: error.message }) : error;
  }
}

// An id that cannot be one is told in several ways.
const NO_SUCH_ID = [400, 404, 422];

const orNotFound = (error: unknown): never => {
  const isUnknown = error instanceof PlatformRefused && NO_SUCH_ID.includes(error.status);
  throw isUnknown ? errors.refuse('DOCUMENT_NOT_FOUND') : error;
};

async function signedContent(signatureId: string, deadlineAtMs: number): Promise<Readable> {
  const path = `/api/documents/${encodeURIComponent(signatureId)}/content?type=Signatures`;
  const { status, stream } = await guardedStream({
    url: `${platformAddress()}${path}`,
    headers: { 'x-api-key': settings['Signer:ApiKey'] },
    timeoutMs: Math.max(1, Math.floor(deadlineAtMs - Date.now())),
    allowPrivateAddresses: true,
  }).catch((error: unknown) => {
    throw error instanceof FetchFailed ? new PlatformUnreachable(error.message, { cause: error }) : error;
  });
  if (status === 200) return Readable.from(orRefused(stream), { objectMode: false });
  read({ status, bytes: Buffer.concat(await stream.toArray()) });
  throw new PlatformUnreachable(`The signature service answered ${status} instead of the document.`);
}

// One that breaks off is told as such where nothing has been answered yet; where it flows already, the line is cut.
async function* orRefused(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch {
    throw errors.refuse('SIGNER_ERROR', { reason: 'The signature service broke off in the middle.' });
  }
}
