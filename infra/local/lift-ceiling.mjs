// A plugin of the framework, for `serverless offline` only. It makes serverless-offline behave as
// the local engine needs, without a change to its files:
//
//   bodies up to 150 MB pass, where serverless-offline stops at 10 and at ten seconds
//   forms flow: their function reads them as they arrive, and says itself how large they may be
//   bodies of the API's binary types arrive as base64, as API Gateway sends them
//   path parameters arrive encoded, as API Gateway sends them
//   CORS, OPTIONS, HEAD and ranges are the functions' affair, as on AWS
//   what no function answered is refused in the style of the service
//   http://localhost works whether the name means 127.0.0.1 or ::1
//   under the engine, it starts to listen when the engine says so
//
// Routes and servers belong to Hapi, so all but the last wrap the methods through which
// serverless-offline uses it.
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';

/** What is held whole in memory, more than once. A function bounds its own bodies well below. */
const MAX_BODY_BYTES = 150 * 1024 * 1024;
/** Long enough for that much over a slow line. */
const BODY_TIMEOUT_MS = 300_000;
const BYTES = 'application/octet-stream';
const FORM = 'multipart/form-data';

export default class LiftCeiling {
  constructor(serverless) {
    const underEngine = process.send !== undefined;
    const start = async () => {
      adaptHapi(serverless);
      await handFormsOver();
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

export function adaptHapi({ service, pluginManager }) {
  const isBinary = binaryTypes(service.provider.apiGateway?.binaryMediaTypes ?? []);
  const httpPort = Number(pluginManager.cliOptions.httpPort ?? 0);
  const prototype = hapiServerPrototype();
  const { ext, route, start, stop } = prototype;

  const refusers = new Map();
  prototype.route = function (options) {
    const routes = [options].flat().map(withoutExtras);
    return route.call(
      this,
      routes.map((one) => (isFunctionRoute(one) ? lifted(one, isBinary, refusers) : one)),
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

function lifted(route, isBinary, refusers) {
  const [, service] = route.path.split('/');
  const greedy = new Set([...route.path.matchAll(/\{(\w+)\*\}/g)].map(([, name]) => name));
  const handler = async (request, h) => {
    request.params = encoded(request.params, greedy);
    const { payload } = request;
    if (!(payload instanceof Readable)) return route.handler(withBody(request, isBinary), h);
    if (mimeOf(request) === FORM) return withForm(request, () => route.handler(request, h));
    const announced = lengthOf(request);
    const { bytes, size } = announced > MAX_BODY_BYTES ? { size: announced } : await held(payload);
    request.payload = bytes;
    if (bytes) return route.handler(withBody(request, isBinary), h);
    const details = { limitBytes: MAX_BODY_BYTES, actualBytes: size };
    return refused(request.path, request.raw.req, h, 413, details);
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

const mimeOf = ({ headers }) => (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
const lengthOf = ({ headers }) => Number(headers['content-length'] ?? Number.NaN);

/** The whole body, or its size alone when it is too large: the rest is read and dropped, so that the caller hears. */
async function held(stream) {
  const signal = AbortSignal.timeout(BODY_TIMEOUT_MS);
  let size = 0;
  const limited = Readable.from(stream, { signal }).map((chunk) => {
    size += chunk.length;
    return size > MAX_BODY_BYTES ? Buffer.alloc(0) : chunk;
  });
  const bytes = await buffer(limited);
  return size > MAX_BODY_BYTES ? { size } : { bytes, size };
}

/**
 * Gives the function a form as a stream. serverless-offline takes a body's text for the body, so the text is the stream.
 * What the function leaves unread is read and dropped before it is answered, as behind API Gateway: a caller that is
 * still sending would meet a closed connection and not the answer.
 */
async function withForm(request, answer) {
  const source = request.payload;
  const form = new PassThrough();
  source.on('error', (error) => form.destroy(error)).pipe(form);
  form.on('error', () => undefined).on('close', () => source.unpipe(form).resume());
  request.payload = { toString: () => form };
  // Its other types are read as text. The function still sees the caller's own, with the boundary.
  request.mime = FORM;
  request.headers['content-type'] = 'text/plain';
  try {
    return await answer();
  } finally {
    form.destroy();
    const signal = AbortSignal.timeout(BODY_TIMEOUT_MS);
    await finished(source, { writable: false, signal }).catch(() => undefined); // whoever hung up hears nothing
  }
}

/** The function finds the form where a host with no ceiling puts it. */
async function handFormsOver() {
  const file = new URL('./lambda/LambdaFunction.js', import.meta.resolve('serverless-offline'));
  const { prototype } = (await import(file.href)).default;
  const { setEvent } = prototype;
  prototype.setEvent = function (event) {
    const { body } = event;
    return setEvent.call(this, body instanceof Readable ? { ...event, body: null, bodyStream: body } : event);
  };
}

function binaryTypes(declared) {
  const types = new Set(declared);
  return (mime) => types.has('*/*') || types.has(mime);
}

// serverless-offline takes the encoding from these two and gives the function the raw headers:
// the body becomes base64 and the function still sees the caller's own content type.
function withBody(request, isBinary) {
  const mime = mimeOf(request);
  request.mime = isBinary(mime) ? BYTES : mime;
  if (request.mime === BYTES) request.headers['content-type'] = BYTES;
  return request;
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

async function refused(path, { method }, h, bareStatus, details) {
  // Loaded when first needed: it brings the services with it, and this file is read at every command.
  const { refuseAsGateway } = await import('./refuse-as-gateway.ts');
  const { status, headers, body } = await refuseAsGateway(method, path, bareStatus, details);
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
