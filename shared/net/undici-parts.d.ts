// The parts of undici that the connector is made of. Its front door loads ten times as much: WebSockets,
// caches, cookies, a browser's fetch. These files are of the very version that package.json pins.

declare module 'undici/lib/dispatcher/agent.js' {
  const Agent: typeof import('undici').Agent;
  export = Agent;
}

declare module 'undici/lib/core/connect.js' {
  const buildConnector: typeof import('undici').buildConnector;
  export = buildConnector;
}

declare module 'undici/lib/api/api-request.js' {
  type Dispatcher = import('undici').Dispatcher;
  /** `this` is the dispatcher that sends. */
  function request(
    this: Dispatcher,
    options: Parameters<Dispatcher['request']>[0],
  ): ReturnType<Dispatcher['request']>;
  export = request;
}
