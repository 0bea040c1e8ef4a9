import { parentPort } from 'node:worker_threads';
import { longList } from './der-shapes.ts';
import { HOSTILE, readList } from './hostile-der.ts';

// In a thread of its own, whose memory has a limit. The files are kept outside of it, in plain bytes.
const SIZES_BYTES = [100_000, 10_000_000];
const HONEST_ENTRIES = 1_000_000;

async function outcomeOf(read: () => unknown): Promise<string> {
  try {
    await read();
    return 'read';
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}

const outcomes: Record<string, string[]> = {};
for (const [name, { make, read }] of Object.entries(HOSTILE)) {
  outcomes[name] = [];
  for (const bytes of SIZES_BYTES) {
    const input = make(bytes);
    outcomes[name].push(await outcomeOf(() => read(input)));
  }
}
parentPort?.postMessage({ outcomes, found: readList(longList(HONEST_ENTRIES)) });
