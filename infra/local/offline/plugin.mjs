// A plugin of the framework, for `serverless offline` only. It makes serverless-offline behave as
// the local engine needs, without a change to its files:
//
//   bodies flow, where serverless-offline buffers up to 10 MB: a function reads its body as it arrives, once it knows
//   who sends it, and says itself how large and how slow it may be
//   a function is told when its caller hangs up
//   path parameters arrive encoded, as API Gateway sends them
//   CORS, OPTIONS, HEAD and ranges are the functions' affair, as on AWS
//   what no function answered is refused in the style of the service
//   http://localhost works whether the name means 127.0.0.1 or ::1
//   under the engine, it starts to listen when the engine says so
//
// Routes and servers belong to Hapi, so all but the last wrap the methods through which
// serverless-offline uses it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { PassThrough, Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';

/** The longest that what a function left unread is read and dropped for. */
const DRAIN_MS = 300_000;
const BYTES = 'application/octet-stream';
const FORM = 'multipart/form-data';
/** In the place of an answer that a slow caller would only hear at the end of its body. */
const TOO_SLOW = 408;

export default class LiftCeiling {
  constructor(serverless) {
    const underEngine = process.send !== undefined;
    const start = async () => {
      adaptHapi(serverless);
      await handBodiesOver();
      if (underEngine) await engineSaysGo(serverless);
    };
    this.hooks = {
      // 'offline start' runs offline:start:init, plain 'offline' runs offline:start.
      'before:offline:start:init': start,
      'before:offline:start': start,
      'before:offline:start:ready': () => process.send?.({ ready: true }),
    };
  }
}

/** The engine builds the functions and fills the stores meanwhile; then it says where they are. */
function engineSaysGo({ service }) {
  return new Promise((resolve) => {
    process.once('message', ({ buildDir, env }) => {
      Object.assign(process.env, env);
      service.custom['serverless-offline'].location = buildDir;
      resolve();
    });
    process.send({ waiting: true });
  });
}

export function adaptHapi({ pluginManager }) {
  const httpPort = Number(pluginManager.cliOptions.httpPort ?? 0);
  const prototype = hapiServerPrototype();
  const { ext, route, start, stop } = prototype;

  const refusers = new Map();
  prototype.route = function (options) {
    const routes = [options].flat().map(withoutExtras);
    return route.call(
      this,
      routes.map((one) => (isFunctionRoute(one) ? lifted(one, refusers) : one)),
    );
  };
  // Its one extension of this kind allows every origin everything, which API Gateway does not. It is on the
  // server of the HTTP routes alone, and so are those that take its place.
  prototype.ext = function (event, ...rest) {
    if (event !== 'onPreResponse') return ext.call(this, event, ...rest);
    ext.call(this, 'onRequest', admit);
    ext.call(this, 'onPreResponse', refuseInStyle);
  };
  let second;
  prototype.start = async function () {
    await start.call(this);
    if (this.settings.port === httpPort) second = await listenOnIpv6(this.listener, httpPort);
  };
  prototype.stop = function (options) {
    if (this.settings.port === httpPort) second?.close();
    return stop.call(this, options);
  };
}

// The same copy of Hapi that serverless-offline loads. Hapi exports a factory and hides the class,
// so the prototype is taken from a throw-away server.
function hapiServerPrototype() {
  const require = createRequire(import.meta.resolve('serverless-offline'));
  return Object.getPrototypeOf(new (require('@hapi/hapi').Server)());
}

// The functions' routes are tagged. So are those of the Lambda endpoint, whose paths begin with a date.
const isFunctionRoute = (route) =>
  route.options?.tags?.includes('api') === true && !/^\/\d{4}-/.test(route.path);

/** Where no route takes OPTIONS for CORS, it goes where every unknown method goes. */
const withoutExtras = (route) => ({
  ...route,
  options: { ...route.options, cors: false, response: { ...route.options?.response, ranges: false } },
});

function lifted(route, refusers) {
  const [, service] = route.path.split('/');
  const greedy = new Set([...route.path.matchAll(/\{(\w+)\*\}/g)].map(([, name]) => name));
  const handler = (request, h) => {
    request.params = encoded(request.params, greedy);
    const answer = () => hungUp.run(hangUpOf(request.raw.res), () => route.handler(request, h));
    return request.payload instanceof Readable ? withBody(request, answer) : answer();
  };
  if (route.method === '*') refusers.set(service, handler);
  // Hapi sends HEAD to the route of GET; API Gateway knows no such thing.
  const answer = (request, h) =>
    ((request.method === 'head' && refusers.get(service)) || handler)(request, h);
  return { ...route, options: { ...route.options, ...bodyOf(route.options) }, handler: answer };
}

// Routes with no payload (GET) take no body. To Hapi every body is a stream of bytes, so that it has no opinion on
// the caller's content type or on sizes; those are the function's to judge.
const bodyOf = ({ payload }) =>
  payload && {
    payload: { ...payload, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER, override: BYTES },
  };

/** Which call of a function is under way, for what serverless-offline has no way to hand over. */
const hungUp = new AsyncLocalStorage();

function hangUpOf(response) {
  const caller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) caller.abort();
  });
  return caller.signal;
}

/**
 * Gives the function its body as a stream. serverless-offline takes a body's text for the body, so the text is the
 * stream. What the function leaves unread is read and dropped before it is answered, as behind API Gateway: a caller
 * that is still sending would meet a closed connection and not the answer. One that trickles is not waited for.
 */
async function withBody(request, answer) {
  const source = request.payload;
  const body = new PassThrough();
  source.on('error', (error) => body.destroy(error)).pipe(body);
  body.on('error', () => undefined).on('close', () => source.unpipe(body));
  request.payload = { toString: () => body };
  // Its other types are read as text, or parsed. The function still sees the caller's own type, with its parameters.
  request.mime = FORM;
  request.headers['content-type'] = 'text/plain';
  let answered;
  try {
    answered = await answer();
    return answered;
  } finally {
    // In this order: a source that waits for a destroyed stream to drain would wait for ever.
    source.unpipe(body);
    body.destroy();
    const isHeard = answered?.statusCode !== TOO_SLOW && (await drained(source));
    if (!isHeard) answered?.header?.('connection', 'close');
  }
}

/** Whether the rest of a body was read, at the pace that is asked of every body. Whoever hung up hears nothing. */
async function drained(source) {
  if (source.readableEnded || source.destroyed) return true;
  const { watchPace } = await import('../../../shared/http/body/pace.ts');
  let seen = 0;
  const drain = new Transform({
    transform(chunk, _, done) {
      seen += chunk.length;
      done();
    },
  });
  const stop = watchPace(drain, () => seen);
  try {
    // Not a pipeline, which would end the connection with the body, and the answer with both.
    source.pipe(drain.resume());
    await finished(drain, { signal: AbortSignal.timeout(DRAIN_MS) });
    return true;
  } catch {
    source.unpipe(drain);
    return false;
  } finally {
    stop();
  }
}

/** The function finds its body, and its caller's hanging up, where a host with no ceiling puts them. */
async function handBodiesOver() {
  const file = new URL('./lambda/LambdaFunction.js', import.meta.resolve('serverless-offline'));
  const { prototype } = (await import(file.href)).default;
  const { setEvent } = prototype;
  prototype.setEvent = function (event) {
    const { body } = event;
    const hangUp = hungUp.getStore();
    const flowing = body instanceof Readable ? { body: null, bodyStream: body } : {};
    return setEvent.call(this, hangUp ? { ...event, ...flowing, hangUp } : event);
  };
}

/** Hapi has decoded them, and the functions expect them as API Gateway hands them on. */
function encoded(params, greedy) {
  const encode = (name, value) =>
    greedy.has(name) ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encode(name, value)]));
}

// serverless-offline lets this header say who the caller is.
const OVERRIDE = 'sls-offline-authorizer-override';

function admit({ headers, raw: { req } }, h) {
  delete headers[OVERRIDE];
  req.rawHeaders = req.rawHeaders?.filter((_, at, all) => all[at - (at % 2)].toLowerCase() !== OVERRIDE);
  // A URL takes what follows for a host, whatever Hapi makes of it. No service is there.
  if (!/^\/[/\\]/.test(req.url)) return h.continue;
  return refused('/', req, h, 404).then((answer) => answer.takeover());
}

/** Every function gives its answers a correlation id: an answer without one is not a function's. */
function refuseInStyle({ response, path, raw: { req } }, h) {
  if (response.isBoom) return refused(path, req, h, response.output.statusCode);
  const isOwn = response.statusCode < 400 || response.headers['x-correlation-id'] !== undefined;
  return isOwn ? h.continue : refused(path, req, h, Number(response.statusCode));
}

async function refused(path, { method }, h, bareStatus) {
  // Loaded when first needed: it brings the services with it, and this file is read at every command.
  const { refuseAsGateway } = await import('./refuse-as-gateway.ts');
  const { status, headers, body } = await refuseAsGateway(method, path, bareStatus);
  const response = h.response(body).code(status);
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

/** Hands connections to ::1 over to the server on 127.0.0.1, so that stopping that one ends them too. */
function listenOnIpv6(listener, port) {
  const options = { allowHalfOpen: true, noDelay: true };
  const second = createServer(options, (socket) => listener.emit('connection', socket));
  return new Promise((resolve, reject) => {
    // A machine without IPv6 has nothing to listen on, and no name that leads there.
    const absent = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];
    second.once('error', (error) => (absent.includes(error.code) ? resolve(undefined) : reject(error)));
    second.listen(port, '::1', () => resolve(second));
  });
}
