export type Source = {
  /** Begins nothing more and waits for what has begun. */
  readonly stop: () => Promise<void>;
};

type Running = {
  readonly signal: AbortSignal;
  /** What has begun and not ended. */
  readonly working: ReadonlySet<Promise<void>>;
  readonly begin: (work: Promise<void>) => void;
};

/**
 * A loop that begins pieces of work until it is stopped.
 * @example startSource(async ({ signal, begin }) => { while (!signal.aborted) begin(handle(await receive(signal))); })
 */
export function startSource(loop: (running: Running) => Promise<void>): Source {
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();
  const begin = (work: Promise<void>): void => {
    const ended = work.finally(() => working.delete(ended));
    working.add(ended);
  };
  const running = loop({ signal: stopping.signal, working, begin });
  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(working);
    },
  };
}
