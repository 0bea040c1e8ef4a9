import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import type { Attributes } from '../../shared/store/item.ts';
import { parseLine } from '../../shared/store/lines/lines.ts';
import {
  type Counts,
  FORMAT,
  type Header,
  type Section,
  type StoredMessage,
  type StoredObject,
} from './format.ts';

/** What a file holds, in its order. The content of an object that is not read is skipped. */
export type Entry =
  | { readonly header: Header }
  | { readonly section: Section }
  | { readonly item: Attributes }
  | { readonly object: StoredObject; readonly content: AsyncIterable<Buffer> }
  | { readonly message: StoredMessage }
  | { readonly end: Counts };

/**
 * Reads the file of an export to its end, where its hash and counts are checked. Throws `CommandRefusal` where the file
 * is incomplete or damaged.
 * @example for await (const entry of readExport('prod.sinete')) if ('item' in entry) …
 */
export async function* readExport(path: string): AsyncGenerator<Entry> {
  const bytes = openBytes(path);
  try {
    yield* entriesOf(bytes);
  } catch (error) {
    // SyntaxError is of JSON.parse.
    if (error instanceof Damage || error instanceof SyntaxError)
      throw new CommandRefusal(`${path} is no complete export: ${error.message}`);
    if ((error as NodeJS.ErrnoException).path === path)
      throw new CommandRefusal(`${path} cannot be read: ${reasonOf(error)}`);
    throw error;
  } finally {
    bytes.close();
  }
}

class Damage extends Error {
  override readonly name = 'Damage';
}

async function* entriesOf(bytes: Bytes): AsyncGenerator<Entry> {
  yield { header: headerOf(await bytes.line()) };
  const seen = { items: 0, objects: 0, bytes: 0, messages: 0 };
  let kind: Section['kind'] | undefined;
  for (;;) {
    const before = bytes.sha256();
    const text = await bytes.line();
    if (text === undefined) throw new Damage('it ends too early.');
    const line = JSON.parse(text);
    if ('end' in line) {
      requireEnd(line, seen, before());
      yield { end: line.end };
      return;
    }
    const section = sectionOf(line);
    if (section) {
      kind = section.kind;
      yield { section };
    } else if (kind === 'table') {
      seen.items += 1;
      yield { item: parseLine(text) };
    } else if (kind === 'queue') {
      seen.messages += 1;
      yield { message: line };
    } else if (kind === 'bucket') {
      const content = bytes.take(line.bytes);
      yield { object: line, content };
      for await (const _ of content);
      if ((await bytes.line()) !== '')
        throw new Damage(`the object ${line.key} does not end where it should.`);
      seen.objects += 1;
      seen.bytes += line.bytes;
    } else throw new Damage('a line belongs to no table, bucket or queue.');
  }
}

function headerOf(text: string | undefined): Header {
  const line = JSON.parse(text ?? '{}');
  if (line.sinete !== 'export') throw new Damage('it does not begin as one.');
  if (line.format !== FORMAT)
    throw new Damage(`it has the format ${line.format}, and this version of Sinete reads ${FORMAT}.`);
  return line;
}

function requireEnd(line: { end: Counts; sha256: string }, seen: Counts, sha256: string): void {
  const differs = (Object.keys(seen) as (keyof Counts)[]).find((name) => seen[name] !== line.end[name]);
  if (differs) throw new Damage(`it has ${seen[differs]} ${differs}, and not ${line.end[differs]}.`);
  if (line.sha256 !== sha256) throw new Damage('it does not have its SHA-256.');
}

function sectionOf(line: Partial<Record<Section['kind'], string>>): Section | undefined {
  for (const kind of ['table', 'bucket', 'queue'] as const) {
    const id = line[kind];
    if (typeof id === 'string') return { kind, id };
  }
  return undefined;
}

const CHUNK_BYTES = 1_024 * 1_024;
const NEWLINE = 0x0a;
// An item has 400 KB and a message 256 KB. Bytes are a third longer in base64, and quotes are escaped.
const MAX_LINE_BYTES = 8 * 1_024 * 1_024;

type Bytes = ReturnType<typeof openBytes>;

function openBytes(path: string) {
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let buffer: Buffer = Buffer.alloc(0);

  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (!done) buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value]);
    return !done;
  };
  const shift = (length: number): Buffer => {
    const taken = buffer.subarray(0, length);
    buffer = buffer.subarray(length);
    hash.update(taken);
    return taken;
  };

  return {
    /** The hash of what was read before this call. */
    sha256: () => {
      const before = hash.copy();
      return () => before.digest('hex');
    },
    async line(): Promise<string | undefined> {
      let end = buffer.indexOf(NEWLINE);
      while (end < 0) {
        const searched = buffer.length;
        if (searched > MAX_LINE_BYTES) throw new Damage('a line is too long.');
        if (!(await readMore())) return undefined;
        end = buffer.indexOf(NEWLINE, searched);
      }
      return shift(end + 1).toString('utf8', 0, end);
    },
    /** So many bytes. Read again, it gives those that are left. */
    take(length: number): AsyncIterable<Buffer> {
      let left = length;
      return {
        async *[Symbol.asyncIterator]() {
          while (left > 0) {
            if (buffer.length === 0 && !(await readMore())) throw new Damage('it ends within an object.');
            const chunk = shift(Math.min(left, buffer.length));
            left -= chunk.length;
            yield chunk;
          }
        },
      };
    },
    close: () => stream.destroy(),
  };
}
