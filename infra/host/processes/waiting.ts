import type { Socket } from 'node:net';

/** An older connection has been given up by its caller more likely than a newer one has. */
const PATIENCE_MS = 1_000;

type Waiting = { readonly socket: Socket; readonly sinceMs: number };

/**
 * Connections that wait for a worker, by turns of their addresses: thousands of one address delay another by one. Of one
 * address the first goes first, until it has waited for a second: then there are too many, and the newest goes first.
 *
 *   first served   |--all wait for seconds, and each gives up before its turn --
 *   newest served  |--who comes now is answered--|      those before it, when nobody comes any more
 */
export function waitingConnections(now: () => number = () => performance.now()) {
  // The addresses are in the order of their turns.
  const byAddress = new Map<string, Waiting[]>();
  let size = 0;
  return {
    get size(): number {
      return size;
    },
    add(socket: Socket): void {
      const address = socket.remoteAddress ?? '';
      const waiting = byAddress.get(address) ?? [];
      waiting.push({ socket, sinceMs: now() });
      byAddress.set(address, waiting);
      size += 1;
    },
    next(): Socket | undefined {
      const [turn] = byAddress;
      if (!turn) return undefined;
      const [address, waiting] = turn;
      const isLate = now() - (waiting[0]?.sinceMs ?? 0) > PATIENCE_MS;
      const found = isLate ? waiting.pop() : waiting.shift();
      byAddress.delete(address);
      if (waiting.length > 0) byAddress.set(address, waiting);
      size -= 1;
      return found?.socket;
    },
  };
}
