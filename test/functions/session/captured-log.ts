import { vi } from 'vitest';

/** Takes what is logged instead of printing it, until `restore` is called. */
export function captureLog(): { readonly text: () => string; restore(): void } {
  const lines: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      lines.push(String(chunk));
      return true;
    }),
  );
  const consoles = (['debug', 'log', 'info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map(String).join(' '));
    }),
  );
  return {
    text: () => lines.join('\n'),
    restore() {
      for (const spy of [...streams, ...consoles]) spy.mockRestore();
    },
  };
}
