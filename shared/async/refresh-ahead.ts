// A value older than this is read again. Reading it for each use would cost as much as the use.
const REFRESH_AFTER_MS = 200;
// A value older than this is not used any more: a change is seen within this time.
const MAX_AGE_MS = 500;

type Read<T> = { readonly atMs: number; readonly value: Promise<T> };

/**
 * A value that others may change, read ahead of need (refresh-ahead cache). It is at most half a second old, and its
 * users wait for the store only when a read takes longer than that:
 *
 *   reads   |--first--|            |--second--|
 *   users    wait     |go|go|go|go|go|go|go|go|      a late use begins the second read, and goes with the first
 *
 * @example const webhook = refreshAhead(() => getWebhook(engine, owner, id), now);
 */
export function refreshAhead<T>(read: () => Promise<T>, now: () => number) {
  let newest: Read<T> | undefined;
  let latest: Read<T> | undefined;

  const start = (atMs: number): Read<T> => {
    const started: Read<T> = { atMs, value: read() };
    started.value.then(
      () => {
        if (!newest || newest.atMs < started.atMs) newest = started;
      },
      () => undefined, // Those who wait for this read get its failure.
    );
    return started;
  };
  return (): Promise<T> => {
    const atMs = now();
    if (!latest || atMs - latest.atMs > REFRESH_AFTER_MS) latest = start(atMs);
    return newest && atMs - newest.atMs <= MAX_AGE_MS ? newest.value : latest.value;
  };
}
