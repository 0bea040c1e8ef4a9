// The functions run in this process, and so do their stores.
import '../../stores/child-stores.ts';
import { createServer } from 'node:net';
import { keepEnvironment } from '../../../infra/runtime/environment.ts';
import { readFunctions } from '../../../infra/runtime/functions/declared-functions.ts';
import { clientReader } from '../../../infra/runtime/http/client.ts';
import { serveFunctions } from '../../../infra/runtime/http/serve.ts';

keepEnvironment();
const [root = '', port] = process.argv.slice(2);
const server = await serveFunctions({
  declared: readFunctions(root),
  buildDir: root,
  stage: 'local',
  clientOf: clientReader([]),
  report: console.error,
  takesAgents: false,
});
createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, server.take).listen(
  Number(port),
  '127.0.0.1',
  () => process.send?.({ ready: true }),
);
