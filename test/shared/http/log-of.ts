import { vi } from 'vitest';

/** Runs `work` and keeps what is logged meanwhile off the screen, to be looked at. */
export async function logOf<T>(work: () => Promise<T>) {
  const printed: string[] = [];
  const keep = (text: string | Uint8Array): boolean => printed.push(String(text)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep),
  ];
  try {
    const result = await work();
    return { result, lines: printed.map((line): Record<string, unknown> => JSON.parse(line)) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
