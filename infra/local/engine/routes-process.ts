// The process of the routes: the functions behind HTTP, as behind API Gateway.
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { logger } from '../../../shared/log/logger.ts';
import { LOCAL_STAGE, type ServiceName } from '../../../shared/settings/names.ts';
import { recordStart } from '../../../shared/store/start-check.ts';
import { readFunctions } from '../../runtime/functions/declared-functions.ts';
import { clientReader } from '../../runtime/http/client.ts';
import { serveFunctions } from '../../runtime/http/serve.ts';
import { joinEngine, type MemberOrder } from './member.ts';

/** The port, and the services whose store did not answer at this start. */
export type RoutesOrder = MemberOrder & {
  readonly port: number;
  readonly unreachable: readonly ServiceName[];
};

/** The sandbox's base URL is the home page. */
const HOME = '/sandbox';
/** For requests in progress when the engine stops. */
const DRAIN_MS = 5000;

const log = logger('engine');
// One function's mistake. The calls of all others go on.
process.on('unhandledRejection', (error) => log.error('promise rejected and not handled', { error }));

joinEngine(async ({ root, buildDir, port, unreachable }: RoutesOrder) => {
  recordStart({ unreachable });
  const server = await serveFunctions({
    declared: readFunctions(root),
    buildDir,
    stage: LOCAL_STAGE,
    clientOf: clientReader([]),
    report: log.error,
    home: HOME,
    takesAgents: process.env.Agents__SocketUrl !== undefined,
    idleGraceMs: 0,
  });
  const listeners = await Promise.all(['127.0.0.1', '::1'].map((host) => listen(host, port)));
  for (const listener of listeners) listener?.on('connection', server.take);
  return async () => {
    for (const listener of listeners) listener?.close();
    await Promise.race([server.drain(), pause(DRAIN_MS)]);
  };
});

/** `localhost` may mean either address. Undefined on a machine without one, where no name leads there. */
function listen(host: string, port: number): Promise<Server | undefined> {
  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true });
  return new Promise((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(undefined);
      else if (error.code !== 'EADDRINUSE') reject(error);
      else reject(new Error(`Port ${port} was taken while starting. Start again.`));
    });
    listener.listen(port, host, () => resolve(listener));
  });
}
