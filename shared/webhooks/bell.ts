/** Lets one loop sleep until something happens, or a while has passed. A ring while nobody sleeps is not lost. */
export function bell() {
  let rung = Promise.withResolvers<void>();
  return {
    ring: (): void => rung.resolve(),
    async sleep(mostMs: number): Promise<void> {
      const timer = setTimeout(() => rung.resolve(), mostMs);
      await rung.promise;
      clearTimeout(timer);
      rung = Promise.withResolvers<void>();
    },
  };
}
