import { afterEach, vi } from 'vitest';

const undone: (() => void)[] = [];

/** For a test file's top: what its tests set, or do to the clock, is as before after each. */
export function restoreSettings(): void {
  afterEach(() => {
    for (const undo of undone.splice(0).toReversed()) undo();
  });
}

/** A setting for the rest of the test. @example setting('Sessions:SignatureAllowance', '1') */
export function setting(name: string, value: string | undefined): void {
  const variable = name.replaceAll(':', '__');
  const before = process.env[variable];
  vi.stubEnv(variable, value);
  undone.push(() => vi.stubEnv(variable, before));
}

/** The clock for the rest of the test, ahead and running: times are compared, and nothing is waited for. */
export function clockAhead(ms: number): void {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'], shouldAdvanceTime: true });
  undone.push(() => vi.useRealTimers());
}
