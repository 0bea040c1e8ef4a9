//   a  |--sync 1--------|
//   b      |--waits-----|--sync 2--------|    sync 1 may have begun before b was written
//   c          |--waits-|--sync 2--------|

/**
 * A sync that callers who wait at the same time share. It resolves once everything that was written before the call is on
 * the disk.
 * @example const syncLog = shareSync(() => fdatasync(descriptor));
 */
export function shareSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    running = sync().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  };
}
