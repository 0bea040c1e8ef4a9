/** What a bar is drawn on: process.stderr, or nothing when that is no terminal. */
type Screen = { readonly isTTY?: boolean; write(text: string): unknown };

type Options = {
  readonly label: string;
  /** Of the work: content that is read twice counts twice. */
  readonly totalBytes: number;
  readonly screen?: Screen;
  readonly nowMs?: () => number;
};

/** Smaller work is over before a bar could be read. */
const SHOWN_FROM_BYTES = 8 * 1024 * 1024;
const REDRAWN_EVERY_MS = 100;
const WIDTH = 30;
const CLEAR_LINE = '\r\u001b[K';

export type Progress = {
  /** So many more bytes are done. */
  add(bytes: number): void;
  /** Takes the bar away, whether the work was finished or failed. */
  end(): void;
};

/**
 * A bar for large files, on a terminal only.
 * @example const bar = progress({ label: 'Signing', totalBytes: 2 * size }); for (...) bar.add(chunk.length); bar.end();
 */
export function progress({
  label,
  totalBytes,
  screen = process.stderr,
  nowMs = () => performance.now(),
}: Options): Progress {
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

function bar(part: number): string {
  const full = Math.floor(part * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(part * 100)}%`;
}

/** The same chunks, counted on their way. @example counted(createReadStream(path), bar) */
export async function* counted(source: AsyncIterable<Uint8Array>, bar: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    bar.add(chunk.byteLength);
    yield chunk;
  }
}
