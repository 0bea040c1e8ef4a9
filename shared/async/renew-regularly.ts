/**
 * Renews something (a lease, a claim) at an interval, one renewal after another. A renewal that fails is not repeated:
 * the next one comes, while what was renewed before still lasts. The answered function ends it, and waits for the
 * renewal under way.
 * @example const stop = renewRegularly(RENEW_EVERY_MS, async () => { held = await leases.change(held, later()); });
 *          try { return await work(); } finally { await stop(); }
 */
export function renewRegularly(everyMs: number, renew: () => Promise<void>): () => Promise<void> {
  let renewal: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewal = renewal.then(renew).catch(() => undefined);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await renewal;
  };
}
