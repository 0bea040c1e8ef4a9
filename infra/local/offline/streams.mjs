// The body of an answer as a stream, from the function to its caller: never whole in memory, nor in base64.
import { pipeline, Readable } from 'node:stream';
import { collectBuffers } from '../../collect-buffers.ts';

/**
 * Makes the source the body of the response. Hapi's own pipe would end an answer whose source closes early as if it
 * were whole, and takes no source of objects, such as Readable.from() makes. So Hapi gets a payload that pipes itself.
 *
 *   source fails or closes early      the connection ends: a caller never takes the answer for whole
 *   the caller hangs up               the source is destroyed
 *   Hapi drops it (204, 304, abort)   the source is destroyed
 */
export function streamAnswer(request, response, source) {
  const payload = new Readable({
    read() {},
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });
  // Hapi calls this in place of its pipe. The function logs why its source failed.
  payload.writeToStream = (target) => pipeline(source, collectBuffers, target, () => undefined);
  // serverless-offline has made the response by then, and sets a source of bytes in the same way.
  Object.assign(response, { source: payload, variety: 'stream' });
  // API Gateway compresses nothing, and a compressor would take the place of our pipe.
  request.info.acceptEncoding = 'identity';
  return response;
}
