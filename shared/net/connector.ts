import type { Dispatcher } from 'undici';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { checkedLookup, isReachable, privateAddressError, type ReachOptions } from './addresses.ts';
import { literalAddress } from './url.ts';

// A host that does not accept within this time is down. The rest of the timeout is for the answer.
const CONNECT_TIMEOUT_MS = 5_000;

export type GuardedAgent = {
  readonly request: (call: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData<unknown>>;
  readonly close: () => Promise<void>;
};

// Enough for bursts of webhooks to one receiver without opening a connection each.
const CONNECTIONS_AN_ORIGIN = 32;

// Idle connections close before most servers and load balancers close theirs.
const KEEP_ALIVE_MS = 4_000;

/**
 * Creates an agent that connects to checked addresses only and keeps connections for later calls.
 */
export function createGuardedAgent(reach: ReachOptions): GuardedAgent {
  const connect = buildConnector({
    lookup: checkedLookup(reach),
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
  });

  const guardedConnect: typeof connect = (target, callback) => {
    // Node does not call `lookup` for an IP address, so a literal address is checked here.
    const literal = literalAddress(target.hostname);
    if (literal && !isReachable(literal, reach)) return callback(privateAddressError(target.hostname), null);
    return connect(target, callback);
  };
  const agent = new Agent({
    connect: guardedConnect,
    allowH2: false,
    connections: CONNECTIONS_AN_ORIGIN,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  return { request: (call) => request.call(agent, call), close: () => agent.destroy() };
}
