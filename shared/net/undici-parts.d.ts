// The parts of undici that the connector is made of. Its public entry also loads WebSockets, caches, cookies, mocks and
// a browser's fetch: a bundle of 729 KB instead of 476 KB, and 95 ms instead of 53 ms before the first call goes out.
// test/shared/net/undici-parts.test.ts fails when these files move or hold something else.

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
