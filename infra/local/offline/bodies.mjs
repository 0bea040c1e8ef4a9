// Request bodies as streams. A function reads its body as it arrives, after it knows who sends it, and decides itself how
// large and how slow it may be.
import { PassThrough } from 'node:stream';

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
    const { drainBody } = await import('../../../shared/http/body/drain.ts');
    const isRead = response?.statusCode !== TOO_SLOW && (await drainBody(source));
    if (!isRead) response?.header?.('connection', 'close');
  }
}
