/**
 * A clock that begins at a given time, and goes on from there. For work that is given one time and takes long.
 * @example const now = clockFrom(nowMs);
 */
export function clockFrom(nowMs: number): () => number {
  const startedAt = performance.now();
  return () => nowMs + Math.floor(performance.now() - startedAt);
}
