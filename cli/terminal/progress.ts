/** The screen of a bar: process.stderr. Nothing is drawn when that is no terminal. */
export type Screen = { readonly isTTY?: boolean; write(text: string): unknown };

type ProgressOptions = {
  readonly label: string;
  /** Content that is read twice counts twice. */
  readonly totalBytes: number;
  readonly screen?: Screen;
  readonly nowMs?: () => number;
};

/** Smaller files are done before a bar could be read. */
const SHOWN_FROM_BYTES = 8 * 1024 * 1024;
const REDRAWN_EVERY_MS = 100;
const WIDTH = 30;
export const CLEAR_LINE = '\r\u001b[K';

export type Progress = {
  /** Counts bytes that are done. */
  add(bytes: number): void;
  /** Removes the bar, whether the work succeeded or failed. */
  end(): void;
};

/**
 * Shows a bar for large files, on a terminal only.
 * @example const bar = showProgress({ label: 'Signing', totalBytes: 2 * size }); for (...) bar.add(chunk.length); bar.end();
 */
export function showProgress({
  label,
  totalBytes,
  screen = process.stderr,
  nowMs = () => performance.now(),
}: ProgressOptions): Progress {
  if (!screen.isTTY || totalBytes < SHOWN_FROM_BYTES) return { add: () => {}, end: () => {} };
  let done = 0;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    add(bytes) {
      done = Math.min(done + bytes, totalBytes);
      if (nowMs() - drawnAtMs < REDRAWN_EVERY_MS) return;
      drawnAtMs = nowMs();
      screen.write(`${CLEAR_LINE}${label} ${bar(done / totalBytes)}`);
    },
    end: () => void screen.write(CLEAR_LINE),
  };
}

/** @example bar(0.5) // '[###############...............] 50%' */
export function bar(part: number): string {
  const full = Math.floor(part * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(part * 100)}%`;
}

/** Passes the chunks on and counts them. @example countBytes(createReadStream(path), bar) */
export async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  bar: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    bar.add(chunk.byteLength);
    yield chunk;
  }
}
