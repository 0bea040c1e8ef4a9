import type { Output } from '../../shared/command-line/output.ts';
import { bar, CLEAR_LINE, type Progress, type Screen } from '../terminal/progress.ts';

export type Report = {
  /** Prints a line of its own. */
  say(line: string): void;
  complain(line: string): void;
  /** Shows what the command waits for: on the last line of a terminal, or elsewhere a line when it changes. */
  waitFor(text: string): void;
  /** Counts the bytes of a file on its way. */
  transfer(totalBytes: number): Progress;
  end(): void;
};

const REDRAWN_EVERY_MS = 100;
// Smaller files are there before a bar could be read.
const SHOWN_FROM_BYTES = 8 * 1024 * 1024;

/** Tells a person what happens to the files. @example const report = reportTo(CONSOLE, process.stderr, Date.now) */
export function reportTo({ print, printError }: Output, screen: Screen, now: () => number): Report {
  const transfers = new Set<{ done: number; readonly totalBytes: number }>();
  let shown = '';
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  const clear = (): void => void (screen.isTTY && screen.write(CLEAR_LINE));
  const draw = (text: string): void => void (screen.isTTY && screen.write(`${CLEAR_LINE}${text}`));
  const drawTransfers = (): void => {
    const all = [...transfers];
    const total = all.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
    if (total < SHOWN_FROM_BYTES || now() - drawnAtMs < REDRAWN_EVERY_MS) return;
    drawnAtMs = now();
    const done = all.reduce((sum, each) => sum + each.done, 0);
    draw(`${all.length} ${all.length === 1 ? 'file' : 'files'} on the way ${bar(done / total)}`);
  };
  return {
    say(line) {
      clear();
      print(line);
      shown = '';
    },
    complain(line) {
      clear();
      printError(line);
      shown = '';
    },
    waitFor(text) {
      if (screen.isTTY && transfers.size === 0) draw(text);
      else if (!screen.isTTY && text !== '' && text !== shown) print(text);
      shown = text;
    },
    transfer(totalBytes) {
      const transfer = { done: 0, totalBytes };
      transfers.add(transfer);
      return {
        add(bytes) {
          transfer.done = Math.min(transfer.done + bytes, totalBytes);
          drawTransfers();
        },
        end() {
          transfers.delete(transfer);
          if (transfers.size === 0) clear();
        },
      };
    },
    end: clear,
  };
}
