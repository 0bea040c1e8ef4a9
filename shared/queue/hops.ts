import { AsyncLocalStorage } from 'node:async_hooks';

// A function that sends to its own queue runs again because of itself. Lambda counts these runs in the trace header of a
// message, and stops a function that is not declared recursive at about the 16th. The local engine has no trace
// header: it counts by this attribute, which on AWS nobody reads.
//
//   tasks   |--run 1--sends-->|--run 2--sends-->|--run 3--...
//   hops      none             tasks=1           tasks=2
//
// A message that the sweeper sends begins a new chain, as on AWS.

/** The message attribute with the runs so far in the chain of a message: for each queue, those of its function. */
export const HOPS = 'hops';

const chain = new AsyncLocalStorage<string>();

/** Handles a message of a queue: messages that the work sends are the next hop in its chain. */
export function continueChain<T>(
  hops: string | undefined,
  queueName: string,
  work: () => Promise<T>,
): Promise<T> {
  const counts = parseHops(hops);
  counts.set(queueName, (counts.get(queueName) ?? 0) + 1);
  return chain.run([...counts].map(([name, count]) => `${name}=${count}`).join(','), work);
}

/** The value of the attribute for a message that is sent now; undefined where no message is being handled. */
export const currentHops = (): string | undefined => chain.getStore();

/**
 * How often the function of a queue has run in the chain that led to a message.
 * @example hopsOf('sinete-local-documents-tasks=3', 'sinete-local-documents-tasks') // 3
 */
export const hopsOf = (hops: string | undefined, queueName: string): number =>
  parseHops(hops).get(queueName) ?? 0;

function parseHops(hops = ''): Map<string, number> {
  const pairs = hops.split(',').map((pair) => pair.split('='));
  return new Map(pairs.flatMap(([name, count]) => (name ? [[name, Number(count) || 0]] : [])));
}
