import { afterAll, vi } from 'vitest';

// What a process of its own would give a file: modules of the house that hold nothing yet, and the settings, clock and
// globals as they were. Libraries stay: loading them again takes longer than most files' tests.
vi.resetModules();
// What a process has one of, whatever module asks for it (shared/async/process-wide.ts).
for (const symbol of Object.getOwnPropertySymbols(globalThis))
  if (Symbol.keyFor(symbol)?.startsWith('sinete.')) Reflect.deleteProperty(globalThis, symbol);

const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
