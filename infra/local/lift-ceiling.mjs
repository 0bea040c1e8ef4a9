// A plugin of the framework, for `serverless offline` only. It makes serverless-offline behave as
// the local engine needs, without a change to its files:
//
//   bodies up to 150 MB pass, where serverless-offline stops at 10 and at ten seconds
//   bodies of the API's binary types arrive as base64, as API Gateway sends them
//   an answer has the CORS headers that its function gave it, and no others
//   http://localhost works whether the name means 127.0.0.1 or ::1
//   under the engine, it starts to listen when the engine says so
//
// Routes and servers belong to Hapi, so all but the last wrap the methods through which
// serverless-offline uses it.
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

/** What the specification's largest request needs: fifty documents of the largest size, and a margin. */
const MAX_BODY_BYTES = 150 * 1024 * 1024;
/** Long enough for that much over a slow line. */
const BODY_TIMEOUT_MS = 300_000;

export default class LiftCeiling {
  constructor(serverless) {
    const underEngine = process.send !== undefined;
    const start = async () => {
      adaptHapi(serverless);
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

  prototype.route = function (options) {
    return route.call(this, isFunctionRoute(options) ? lifted(options, isBinary) : options);
  };
  // Its one extension of this kind allows every origin everything, which API Gateway does not.
  prototype.ext = function (event, ...rest) {
    return event === 'onPreResponse' ? undefined : ext.call(this, event, ...rest);
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

// The functions' routes have an unparsed payload. Those with none (GET) take no body.
const isFunctionRoute = (route) => route.options?.payload?.parse === false;

function lifted(route, isBinary) {
  const payload = { ...route.options.payload, maxBytes: MAX_BODY_BYTES, timeout: BODY_TIMEOUT_MS };
  return {
    ...route,
    options: { ...route.options, payload },
    handler: (request, h) => route.handler(isBinary(request.mime) ? asBinary(request) : request, h),
  };
}

function binaryTypes(declared) {
  const types = new Set(declared);
  return (mime) => types.has('*/*') || types.has(mime);
}

// serverless-offline takes the encoding from these two and gives the function the raw headers:
// the body becomes base64 and the function still sees the caller's own content type.
function asBinary(request) {
  request.headers['content-type'] = 'application/octet-stream';
  request.mime = 'application/octet-stream';
  return request;
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
