import { PDFObjectStreamParser, PDFXRefStreamParser } from 'pdf-lib';
import { afterAll, vi } from 'vitest';

// What a process of its own would give a file: modules of the house that hold nothing yet, and the settings, clock and
// globals as they were. Libraries stay: loading them again takes longer than most files' tests.
vi.resetModules();
// What a process has one of, whatever module asks for it (shared/async/process-wide.ts).
for (const symbol of Object.getOwnPropertySymbols(globalThis))
  if (Symbol.keyFor(symbol)?.startsWith('sinete.')) Reflect.deleteProperty(globalThis, symbol);

const before = { ...process.env };

// The module that draws on PDFs puts a bound before these when it is loaded. Of two such modules the older one's bound
// would be used up and never set again.
const parsers = [PDFObjectStreamParser, PDFXRefStreamParser] as { forStream: unknown }[];
const makers = parsers.map(({ forStream }) => forStream);

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  for (const [index, parser] of parsers.entries()) parser.forStream = makers[index];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
