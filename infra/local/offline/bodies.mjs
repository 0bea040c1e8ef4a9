// Request bodies as streams. A function reads its body as it arrives, after it knows who sends it, and decides itself how
// large and how slow it may be.
import { PassThrough, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';

/** The longest time for which the rest of an unread body is read and dropped. */
const DRAIN_MS = 300_000;
const FORM = 'multipart/form-data';
/** The status of a body that arrives too slowly. Its caller would hear another answer only at the end of the body. */
const TOO_SLOW = 408;

/**
 * Gives the function its body as a stream. serverless-offline takes a body's text for the body, so the text is the
 * stream. The rest that the function leaves unread is read and dropped before it is answered, as behind API Gateway: a
 * caller that is still sending would meet a closed connection and not the answer. A caller that trickles is not waited
 * for.
 */
export async function streamBody(request, answer) {
  const source = request.payload;
  const body = new PassThrough();
  source.on('error', (error) => body.destroy(error)).pipe(body);
  body.on('error', () => undefined).on('close', () => source.unpipe(body));
  request.payload = { toString: () => body };
  // serverless-offline reads other types as text, or parses them. The function still sees the caller's own type.
  request.mime = FORM;
  request.headers['content-type'] = 'text/plain';
  let response;
  try {
    response = await answer();
    return response;
  } finally {
    // In this order: a source that waits for a destroyed stream to drain would wait for ever.
    source.unpipe(body);
    body.destroy();
    const isRead = response?.statusCode !== TOO_SLOW && (await drain(source));
    if (!isRead) response?.header?.('connection', 'close');
  }
}

/** Reads the rest of a body, at the pace that is required of every body. False when it did not arrive. */
async function drain(source) {
  if (source.readableEnded || source.destroyed) return true;
  const { watchPace } = await import('../../../shared/http/body/pace.ts');
  let seen = 0;
  const sink = new Transform({
    transform(chunk, _, done) {
      seen += chunk.length;
      done();
    },
  });
  const stop = watchPace(sink, () => seen);
  try {
    // Not a pipeline, which would end the connection with the body, and the answer with both.
    source.pipe(sink.resume());
    await finished(sink, { signal: AbortSignal.timeout(DRAIN_MS) });
    return true;
  } catch {
    source.unpipe(sink);
    return false;
  } finally {
    stop();
  }
}
