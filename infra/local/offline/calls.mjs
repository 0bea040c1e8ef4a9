// What serverless-offline has no way to hand to a function, or to take from it: the body of the request as a stream, a
// signal for a caller that hangs up, and the body of the answer as a stream. They are put on the event and taken from
// the result here, where a host with no ceiling would put them.
import { AsyncLocalStorage } from 'node:async_hooks';
import { pipeline, Readable } from 'node:stream';
import { functionCaller } from '../../runtime/functions/invoke.ts';
import { collectBuffers } from '../../runtime/http/collect-buffers.ts';

/** The call in progress. Calls by the Lambda endpoint have none: their answers are JSON, and whole. */
const calls = new AsyncLocalStorage();

/** Calls a function by its route, and sends the stream that it answers, if it does. */
export async function callFunction(request, run) {
  const call = { hangUp: hangUpOf(request.raw.res), source: undefined, hasNoType: false };
  try {
    const response = await calls.run(call, run);
    // serverless-offline labels an answer without a type as JSON, as API Gateway does.
    if (call.hasNoType) delete response.headers['content-type'];
    return call.source ? streamAnswer(request, response, call.source) : response;
  } catch (error) {
    call.source?.destroy();
    throw error;
  }
}

const hasType = ({ headers = {} }) =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');

/** A signal that aborts when the caller hangs up. */
function hangUpOf(response) {
  const caller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) caller.abort();
  });
  return caller.signal;
}

/**
 * Replaces the methods by which serverless-offline hands a function its event and takes its result. By itself it looks for the
 * file of the function and writes the environment at each call, and keeps a timer of each call, with all that the call
 * holds, until the time of the function is over.
 */
export async function callFunctionsDirectly({ service, serviceDir }) {
  const offline = import.meta.resolve('serverless-offline');
  const [{ default: LambdaFunction }, { LambdaTimeoutError }] = await Promise.all([
    import(new URL('./lambda/LambdaFunction.js', offline).href),
    import(new URL('./errors/index.js', offline).href),
  ]);
  // It also makes a global that Lambda has. A function asks for this variable before it streams by that.
  process.env.IS_OFFLINE = 'true';
  const invoke = invokerOf(service, serviceDir, () => new LambdaTimeoutError('[504] - Lambda timeout.'));
  const events = new WeakMap();
  LambdaFunction.prototype.setEvent = function (event) {
    events.set(this, event);
  };
  LambdaFunction.prototype.runHandler = async function () {
    // The next event is set as soon as this method waits.
    const event = events.get(this);
    const call = calls.getStore();
    const result = await invoke(this.functionName, call ? withStream(event, call) : event);
    if (!call) return result;
    call.hasNoType = result?.body === '' && !hasType(result);
    if (!(result?.bodyStream instanceof Readable)) return result;
    const { bodyStream, ...rest } = result;
    call.source = bodyStream;
    return rest;
  };
}

/** The functions and the folder of their build are complete at the first call. */
function invokerOf(service, serviceDir, lateError) {
  let call;
  const keys = new Map();
  const prepare = () => {
    const declared = Object.entries(service.functions).map(([key, definition]) => ({ key, definition }));
    for (const { key, definition } of declared) keys.set(definition.name, key);
    return functionCaller(declared, service.custom['serverless-offline'].location ?? serviceDir, lateError);
  };
  return (name, event) => {
    call ??= prepare();
    return call(keys.get(name), name, event);
  };
}

function withStream(event, { hangUp }) {
  const { body } = event;
  const streaming = body instanceof Readable ? { body: null, bodyStream: body } : {};
  return { ...event, ...streaming, hangUp, takesStream: true };
}

/**
 * Makes the source the body of the response: never whole in memory, nor in base64. Hapi's own pipe would end an answer
 * whose source closes early as if it were whole, and takes no source of objects, such as Readable.from() makes. So Hapi
 * gets a payload that pipes itself.
 *
 *   source fails or closes early      the connection ends: a caller never takes the answer for whole
 *   the caller hangs up               the source is destroyed
 *   Hapi drops it (204, 304, abort)   the source is destroyed
 */
function streamAnswer(request, response, source) {
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
