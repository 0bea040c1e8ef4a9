// Hapi owns the routes and the servers of serverless-offline: this wraps the methods through which serverless-offline
// uses it.
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { answerOwnPaths, refuseInStyle } from './answers.mjs';
import { streamBody } from './bodies.mjs';
import { callFunction } from './calls.mjs';

const BYTES = 'application/octet-stream';

export function adaptHapi({ pluginManager, service }) {
  const httpPort = Number(pluginManager.cliOptions.httpPort ?? 0);
  const prototype = hapiServerPrototype();
  const { ext, route, start, stop } = prototype;

  prototype.route = function (options) {
    const routes = [options].flat().map(withoutExtras);
    return route.call(
      this,
      routes.map((one) => (isFunctionRoute(one) ? adaptRoute(one) : one)),
    );
  };
  // serverless-offline's one extension of this kind allows every origin everything, which API Gateway does not. It is
  // on the server of the HTTP routes alone, and so are those that replace it.
  prototype.ext = function (event, ...rest) {
    if (event !== 'onPreResponse') return ext.call(this, event, ...rest);
    ext.call(this, 'onRequest', answerOwnPaths);
    ext.call(this, 'onPreResponse', refuseInStyle);
  };
  let second;
  let sockets;
  prototype.start = async function () {
    if (this.settings.port === httpPort) sockets = await offerSockets(this.listener, service);
    await start.call(this);
    if (this.settings.port === httpPort) second = await listenOnIpv6(this.listener, httpPort);
  };
  prototype.stop = async function (options) {
    if (this.settings.port === httpPort) {
      second?.close();
      await sockets?.close();
    }
    return stop.call(this, options);
  };
}

/** Takes the connections of agents, where the engine offers them: its stores are its own. */
async function offerSockets(listener, service) {
  const buildDir = service?.custom['serverless-offline'].location;
  if (!buildDir || !process.env.Agents__SocketUrl) return undefined;
  const [{ startSocketGateway }, { socketFunction }] = await Promise.all([
    import('../../runtime/sockets/gateway.ts'),
    import('../../runtime/sockets/function.ts'),
  ]);
  const gateway = await startSocketGateway({
    invoke: socketFunction(buildDir),
    report: (error) => console.error('A WebSocket event failed.', error),
  });
  listener.shouldUpgradeCallback = gateway.isFor;
  listener.on('upgrade', gateway.upgrade);
  return gateway;
}

// The same copy of Hapi that serverless-offline loads. Hapi exports a factory and hides the class, so the prototype is
// taken from a throw-away server.
function hapiServerPrototype() {
  const require = createRequire(import.meta.resolve('serverless-offline'));
  return Object.getPrototypeOf(new (require('@hapi/hapi').Server)());
}

// The functions' routes are tagged. So are those of the Lambda endpoint, whose paths begin with a date.
const isFunctionRoute = (route) =>
  route.options?.tags?.includes('api') === true && !/^\/\d{4}-/.test(route.path);

/**
 * Without Hapi's CORS, OPTIONS goes where every unknown method goes. Without its ranges, functions answer them. Without
 * its status for an empty body, a 200 stays one.
 */
const withoutExtras = (route) => ({
  ...route,
  options: {
    ...route.options,
    cors: false,
    response: { ...route.options?.response, ranges: false, emptyStatusCode: 200 },
  },
});

function adaptRoute(route) {
  const greedy = new Set([...route.path.matchAll(/\{(\w+)\*\}/g)].map(([, name]) => name));
  const handler = (request, h) => {
    request.params = encodeParams(request.params, greedy);
    const answer = () => callFunction(request, () => route.handler(request, h));
    return request.payload instanceof Readable ? streamBody(request, answer) : answer();
  };
  return { ...route, options: { ...route.options, ...payloadOptions(route.options) }, handler };
}

// Routes with no payload (GET) take no body. To Hapi every body is a stream of bytes, so that it judges neither the
// caller's content type nor sizes: the function does.
const payloadOptions = ({ payload }) =>
  payload && {
    payload: { ...payload, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER, override: BYTES },
  };

/** Hapi has decoded them, and the functions expect them as API Gateway hands them on. */
function encodeParams(params, greedy) {
  const encode = (name, value) =>
    greedy.has(name) ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encode(name, value)]));
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
