// The functions' own process of the engine: serverless-offline without the framework around it, whose loading, reading and
// checking of the configuration would take half of a start. Tests have the framework check and package the functions.
import { format } from 'node:util';
import ServerlessOffline from 'serverless-offline';
import { readFunctions } from '../../runtime/functions/declared-functions.ts';
import OfflinePlugin from '../offline/plugin.mjs';
import { declaredService } from './service.ts';

const [root, httpPort, lambdaPort] = process.argv.slice(2);

const nothing = () => undefined;
const log = {
  ...{ debug: nothing, info: nothing, notice: nothing, verbose: nothing },
  // In the framework's own form, which the engine reads: see ../offline/log.ts.
  warning: (...args) => console.error(format(...args)),
  error: (...args) => console.error(`✖ ${format(...args)}`),
};

// Printing the table of all routes, which nobody sees, takes a tenth of a second.
const server = new URL('./events/http/HttpServer.js', import.meta.resolve('serverless-offline'));
(await import(server.href)).default.prototype.writeRoutesTerminal = nothing;

const cliOptions = { httpPort: Number(httpPort), lambdaPort: Number(lambdaPort) };
try {
  const serverless = {
    service: declaredService(root, readFunctions(root)),
    serviceDir: root,
    config: { servicePath: root },
    pluginManager: { cliOptions },
  };
  const plugins = [new OfflinePlugin(serverless), new ServerlessOffline(serverless, cliOptions, { log })];
  // As the framework does: what plugins do before an event of the cycle, then what they do at it.
  for (const event of ['init', 'ready', 'end'])
    for (const name of [`before:offline:start:${event}`, `offline:start:${event}`])
      for (const { hooks } of plugins) await hooks[name]?.();
} catch (error) {
  // The engine prints the last line.
  console.error(`${error.stack}\n${error.message}`);
  process.exit(1);
}
