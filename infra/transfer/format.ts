// The file of an export: lines of JSON, and after the line of an object its bytes as they are.
//
//   {"sinete":"export","format":1,"stage":"prod","version":"0.1.0","exportedAt":"2026-11-17T02:15:00.000Z"}
//   {"table":"SessionTable"}                          the lines that follow are its items
//   {"Item":{"pk":{"S":"…"},"sk":{"S":"…"},…}}
//   {"bucket":"DocumentsBucket"}                      … its objects
//   {"key":"…","bytes":3,"contentType":"text/plain","etag":"\"…\""}
//   abc
//   {"queue":"DocumentsTasksQueue"}                   … its messages
//   {"body":"…","attributes":{…}}
//   {"end":{"items":1,"objects":1,"bytes":3,"messages":1},"sha256":"…"}
//
// Resources have the names of infra/*.yml, which have no stage and no account in them.
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Attributes } from '../../shared/store/item.ts';
import { lineOf } from '../../shared/store/lines/lines.ts';

export const FORMAT = 1;

export type Counts = {
  readonly items: number;
  readonly objects: number;
  readonly bytes: number;
  readonly messages: number;
};
export type StoredObject = {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly etag: string;
};
type TextAttribute = { readonly DataType: string; readonly StringValue: string };
export type StoredMessage = {
  readonly body: string;
  readonly attributes: Readonly<Record<string, TextAttribute>>;
};
export type Section = { readonly kind: 'table' | 'bucket' | 'queue'; readonly id: string };
export type Header = { readonly stage: string; readonly version: string; readonly exportedAt: string };

export type ExportWriter = Awaited<ReturnType<typeof createExport>>;

/** Writes a file under a temporary name until `end`. Only this user may read it. */
export async function createExport(path: string, header: Header) {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  const hash = createHash('sha256');
  let counts: Counts = { items: 0, objects: 0, bytes: 0, messages: 0 };
  let waiting: Buffer[] = [];
  let waitingBytes = 0;

  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    [waiting, waitingBytes] = [[], 0];
    await file.writeFile(bytes);
  };
  const write = async (chunk: Buffer): Promise<void> => {
    hash.update(chunk);
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= FLUSH_BYTES) await flush();
  };
  const writeLine = (value: object): Promise<void> => write(Buffer.from(`${JSON.stringify(value)}\n`));

  await writeLine({ sinete: 'export', format: FORMAT, ...header });
  return {
    section: ({ kind, id }: Section) => writeLine({ [kind]: id }),
    async item(item: Attributes): Promise<void> {
      await write(Buffer.from(lineOf(item)));
      counts = { ...counts, items: counts.items + 1 };
    },
    /** Throws where the content has another length than announced. */
    async object(object: StoredObject, content: AsyncIterable<Uint8Array>): Promise<void> {
      await writeLine(object);
      let bytes = 0;
      for await (const chunk of content) {
        bytes += chunk.byteLength;
        await write(Buffer.from(chunk));
      }
      if (bytes !== object.bytes)
        throw new Error(`The object ${object.key} ended after ${bytes} of ${object.bytes} bytes.`);
      await write(NEWLINE);
      counts = { ...counts, objects: counts.objects + 1, bytes: counts.bytes + bytes };
    },
    async message(message: StoredMessage): Promise<void> {
      await writeLine(message);
      counts = { ...counts, messages: counts.messages + 1 };
    },
    async end(): Promise<Counts> {
      const sha256 = hash.digest('hex');
      waiting.push(Buffer.from(`${JSON.stringify({ end: counts, sha256 })}\n`));
      await flush();
      await file.sync();
      await file.close();
      await rename(draft, path);
      return counts;
    },
    async discard(): Promise<void> {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

const FLUSH_BYTES = 1_024 * 1_024;
const NEWLINE = Buffer.from('\n');
