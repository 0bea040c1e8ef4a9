import { createServer } from 'node:http';
import { hasSignature, hasToken } from './checks.mjs';

// An event names at most 100 documents: some 100 KB.
const MAX_BODY_BYTES = 1_048_576;

// The id becomes a file's name.
const WEBHOOK_ID = /^[\w-]{1,100}$/;

/** An HTTP server that stores events in the inbox, answers at once, and works on them afterwards. */
export function createReceiver({ authType, token, secret, inbox, work }) {
  const receive = async (request) => {
    const { method, headers } = request;
    if (method !== 'POST') return 405;
    if (!hasToken(headers, { authType, token })) return 401;
    const body = await bodyOf(request);
    if (!body) return 413;
    if (secret && !hasSignature(headers, body, secret)) return 401;
    const id = headers['webhook-id'] ?? '';
    if (!WEBHOOK_ID.test(id) || !isEvent(body)) return 400;
    await inbox.keep(id, body);
    return 204;
  };

  // One at a time, and every event again after a failure or a restart: the work must be idempotent.
  let working = Promise.resolve();
  const workLater = () => {
    working = working.then(() => workAll(inbox, work));
    return working;
  };

  const server = createServer((request, response) => {
    receive(request)
      .catch((error) => {
        // Without a confirmation it comes again.
        console.error(`An event could not be kept: ${error.message}`);
        return 500;
      })
      .then((status) => {
        response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end();
        if (status === 204) workLater();
      });
  });
  return { server, workLater };
}

async function workAll(inbox, work) {
  try {
    for (const id of await inbox.waiting()) await workOn(inbox, work, id);
  } catch (error) {
    console.error(`The inbox could not be read: ${error.message}`);
  }
}

async function workOn(inbox, work, id) {
  try {
    await work(await inbox.read(id), id);
    await inbox.done(id);
  } catch (error) {
    console.error(`Event ${id} was not worked on: ${error.message}`);
  }
}

/** The body's bytes, or undefined when there are too many. */
async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  // The request stays open when reading stops early: the answer needs its connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isEvent(body) {
  try {
    const { type, data } = JSON.parse(body.toString('utf8'));
    return typeof type === 'string' && typeof data === 'object' && data !== null;
  } catch {
    return false;
  }
}
