/**
 * A signal that aborts when it was not reset for so long: a body that streams may take longer than one call, but not
 * stand still.
 * @example const stall = watchStall(10_000); // stall.reset() at each chunk, stall.stop() at the end
 */
export function watchStall(ms: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return {
    signal: controller.signal,
    reset: (): void => void timer.refresh(),
    stop: (): void => clearTimeout(timer),
  };
}
