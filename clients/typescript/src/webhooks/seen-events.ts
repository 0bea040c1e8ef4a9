/**
 * What was received, by the webhook-id of each event. One in memory is enough for one process that may forget; several
 * processes share one in a database, with a unique key.
 */
export type SeenEvents = {
  /** Claims an event that is new. A claim whose process died must end by itself, or the event is never handled. */
  begin(id: string): State | Promise<State>;
  /** Ends a claim: the event was handled, or it may begin again. */
  end(id: string, wasHandled: boolean): void | Promise<void>;
};

type State = 'new' | 'running' | 'handled';

// Of each the id alone: a megabyte in all.
const MAX_EVENTS = 10_000;

/** Remembers the latest events in memory, and forgets the oldest first. */
export function rememberEvents(maxEvents = MAX_EVENTS): SeenEvents {
  const running = new Set<string>();
  const handled = new Set<string>();
  return {
    begin(id) {
      if (handled.has(id)) return 'handled';
      if (running.has(id)) return 'running';
      running.add(id);
      return 'new';
    },
    end(id, wasHandled) {
      running.delete(id);
      if (!wasHandled) return;
      handled.add(id);
      for (const oldest of handled) {
        if (handled.size <= maxEvents) break;
        handled.delete(oldest);
      }
    },
  };
}
