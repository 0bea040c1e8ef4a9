// A plugin of the framework for `serverless offline`, which ../serve/serve.mjs runs without the framework. It makes
// serverless-offline behave as the local engine needs, without a change to its files:
//
//   hapi.mjs      routes as API Gateway has them: no CORS, OPTIONS or ranges of Hapi's own; path parameters stay
//                 encoded; http://localhost works whether the name means 127.0.0.1 or ::1; agents connect by WebSocket
//   bodies.mjs    bodies flow to the functions with no ceiling, where serverless-offline buffers up to 10 MB
//   calls.mjs     a function learns when its caller hangs up, and may answer with a stream, which flows to the caller; it is
//                 called without what serverless-offline does before each call, and leaves behind after it
//   answers.mjs   the home page, the icon, all metrics, and refusals in the style of the service for requests that no function answered
//
// Under the engine, it starts to listen when the engine tells it to.
import { callFunctionsDirectly } from './calls.mjs';
import { adaptHapi } from './hapi.mjs';

export default class OfflinePlugin {
  constructor(serverless) {
    const underEngine = process.send !== undefined;
    const start = async () => {
      adaptHapi(serverless);
      await callFunctionsDirectly(serverless);
      if (underEngine) await waitForEngine(serverless);
    };
    this.hooks = {
      // 'offline start' runs offline:start:init, plain 'offline' runs offline:start.
      'before:offline:start:init': start,
      'before:offline:start': start,
      'before:offline:start:ready': () => process.send?.({ ready: true }),
      'before:offline:start:end': finishWork,
    };
  }
}

/** Does what the functions asked for with shared/async/on-stop.ts. They run in this process. */
const finishWork = () =>
  Promise.allSettled([...(globalThis[Symbol.for('sinete.on-stop')] ?? [])].map((work) => work()));

/** Prepares this process for the functions, which run in it. */
export async function takeOrder(service, { buildDir, env, unreachable }) {
  const { useStores } = await import('../stores/endpoints.ts');
  useStores(env);
  service.custom['serverless-offline'].location = buildDir;
  const { recordStart } = await import('../../../shared/store/start-check.ts');
  recordStart({ unreachable });
  const { shareMetrics } = await import('../../../shared/metrics/processes.ts');
  shareMetrics();
}

/** The engine builds the functions and fills the stores meanwhile; then it sends where they are. */
function waitForEngine({ service }) {
  return new Promise((resolve) => {
    process.once('message', (order) => resolve(takeOrder(service, order)));
    process.send({ waiting: true });
  });
}
