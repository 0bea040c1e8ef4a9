import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Content } from '../source.ts';

// Each part is a request of its own.
export const PART_BYTES = 262_144;
// Until a document is open. pdf.js asks for every page at once, which in some files is the whole file: these parts, the
// end of it among them, come ahead of their turn, and the others with the stream.
const PARTS_TO_OPEN = 4;
// Afterwards parts are of pages that somebody waits for.
const PARTS_AT_ONCE = 2;

type Placed = Extract<Content, { readonly address: string }>;

export type Download = {
  /** All bytes of a small file, or where pdf.js takes them from as they arrive. */
  readonly source: { readonly data: Uint8Array } | { readonly range: PDFDataRangeTransport };
  /** Says that the document is open. */
  onOpen(): void;
};

type DownloadOptions = {
  readonly onProgress: (share: number) => void;
  /** The connection was lost after the document had begun. */
  readonly onLost: (error: Error) => void;
};

/** Begins to fetch a document. A large one comes as one stream, and a few parts of it ahead of their turn. */
export async function download(content: Placed, { onProgress, onLost }: DownloadOptions): Promise<Download> {
  const [address, headers] = [new URL(content.address, location.href), content.headers ?? {}];
  const answer = await fetch(address, { headers });
  if (!answer.ok || !answer.body) throw new Error(`Unexpected server response: ${answer.status}.`);
  const size = Number(answer.headers.get('content-length') ?? 0);
  if (size < 2 * PART_BYTES || answer.headers.get('accept-ranges') !== 'bytes')
    return { source: { data: new Uint8Array(await answer.arrayBuffer()) }, onOpen: () => undefined };

  let isOpen = false;
  let [streamed, asked, underWay] = [0, 0, 0];
  let waiting: { readonly begin: number; readonly end: number }[] = [];

  /** Fetches the part that was asked for last: that is where the person is. */
  const fetchNext = async (): Promise<void> => {
    waiting = waiting.filter(({ end }) => end > streamed);
    if (underWay >= PARTS_AT_ONCE || (!isOpen && asked >= PARTS_TO_OPEN)) return;
    const part = waiting.pop();
    if (!part) return;
    [asked, underWay] = [asked + 1, underWay + 1];
    const { begin, end } = part;
    const response = await fetch(address, { headers: { ...headers, Range: `bytes=${begin}-${end - 1}` } });
    if (response.status !== 206) throw new Error(`Unexpected server response: ${response.status}.`);
    transport.onDataRange(begin, new Uint8Array(await response.arrayBuffer()));
    underWay -= 1;
    await fetchNext();
  };
  const fetchOrGiveUp = (): void => void fetchNext().catch(onLost);

  const transport = new (class extends PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      // Before a document is open what is asked for first comes first.
      waiting = isOpen ? [...waiting, { begin, end }] : [{ begin, end }, ...waiting];
      fetchOrGiveUp();
    }
  })(size, null);

  const readStream = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const reader = body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      streamed += value.length;
      transport.onDataProgressiveRead(value);
      onProgress(streamed / size);
    }
    transport.onDataProgressiveDone();
  };
  readStream(answer.body).catch(onLost);
  return {
    source: { range: transport },
    onOpen() {
      isOpen = true;
      // Nobody waits for the rest of what pdf.js asked for ahead.
      waiting = [];
    },
  };
}
