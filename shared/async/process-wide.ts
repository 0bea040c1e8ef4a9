/**
 * Something of which a process has one. Each function is a bundle with modules of its own: where several run in one
 * process, as in the local engine or a container, they share only what is global.
 * @example const slots = processWide('calls', fairSemaphore);
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`sinete.${name}`);
  const all = globalThis as unknown as Record<symbol, T | undefined>;
  all[key] ??= make();
  return all[key];
}
