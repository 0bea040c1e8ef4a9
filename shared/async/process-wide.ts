/**
 * A value that exists once in a process. Each function is a bundle with modules of its own: functions that run in one
 * process, as in the local engine or a container, share only global values.
 * @example const slots = processWide('calls', fairSemaphore);
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`sinete.${name}`);
  const all = globalThis as unknown as Record<symbol, T | undefined>;
  all[key] ??= make();
  return all[key];
}
