import { readFileSync, writeFileSync } from 'node:fs';
import { peakBytes } from '../../measure/peak-bytes.ts';
import type { MeasuredModule, Measurement } from './cost.ts';

// cost.ts runs this in another process: it reads the files that it is sent, and answers the cost of each.

const HONEST_READS = 5; // then everything is loaded and compiled

const [, , url = ''] = process.argv;
const { read, honest }: MeasuredModule = await import(url);

const collect = (): void => globalThis.gc?.();

// Linux can reset the peak. Elsewhere it only rises, which does not hide a case over the limit.
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

async function outcomeOf(bytes: Buffer): Promise<string> {
  try {
    await read(bytes);
    return 'read';
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

async function takenBy(bytes: Buffer, baseBytes: number): Promise<Measurement> {
  collect();
  forgetPeak();
  const start = process.cpuUsage();
  const outcome = await outcomeOf(bytes);
  const { user, system } = process.cpuUsage(start);
  const overBaseBytes = Math.max(0, peakBytes() - baseBytes);
  return { outcome, cpuMs: (user + system) / 1000, overBaseBytes };
}

const usual = honest();
for (let time = 0; time < HONEST_READS; time++) await read(usual);
collect();
forgetPeak();
const baseBytes = peakBytes();
process.on('message', async (file: string) => process.send?.(await takenBy(readFileSync(file), baseBytes)));
process.send?.('ready');
