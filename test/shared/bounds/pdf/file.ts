import { deflateSync } from 'node:zlib';

export type Body = string | Buffer;

/** Object bodies by number, without `obj` and `endobj`. */
export type Bodies = ReadonlyMap<number, Body>;

export type FileOptions = {
  /** Objects in object streams. */
  readonly packed?: ReadonlyMap<number, string>;
  readonly trailer?: string;
  /** The index that the cross-reference gives each compressed object, where it is wrong. */
  readonly indexOf?: (index: number) => number;
};

const HEAD = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
const PACKED_AT_ONCE = 100; // as writers do

/** A file with a cross-reference stream, so that any object may be compressed. It may have millions of objects. */
export function fileOf(
  bodies: Bodies,
  { packed = new Map(), trailer = '', indexOf }: FileOptions = {},
): Buffer {
  const parts: Buffer[] = [Buffer.from(HEAD, 'latin1')];
  let at = HEAD.length;
  const size = Math.max(highest(bodies), highest(packed)) + 1;
  const streams = Math.ceil(packed.size / PACKED_AT_ONCE);
  const rows = Buffer.alloc((size + streams + 1) * WIDTH);
  const add = (id: number, body: Body): void => {
    row(rows, id, 1, at, 0);
    const bytes = Buffer.concat([
      Buffer.from(`${id} 0 obj\n`),
      typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [id, body] of bodies) add(id, body);
  const entries = [...packed];
  for (let number = 0; number < streams; number++) {
    const some = entries.slice(number * PACKED_AT_ONCE, (number + 1) * PACKED_AT_ONCE);
    for (const [index, [id]] of some.entries()) row(rows, id, 2, size + number, indexOf?.(index) ?? index);
    add(size + number, objectStream(some));
  }
  const id = size + streams;
  row(rows, id, 1, at, 0);
  const section = at;
  const dict = `/Type/XRef/Size ${id + 1}/W[1 4 2]/Root 1 0 R${trailer}`;
  add(id, streamOf(dict, rows, true));
  return Buffer.concat([...parts, Buffer.from(`startxref\n${section}\n%%EOF\n`)]);
}

const highest = (of: ReadonlyMap<number, unknown>): number => {
  let most = 0;
  for (const id of of.keys()) most = Math.max(most, id);
  return most;
};

const WIDTH = 7;

function row(rows: Buffer, id: number, kind: number, second: number, third: number): void {
  rows.writeUInt8(kind, id * WIDTH);
  rows.writeUInt32BE(second, id * WIDTH + 1);
  rows.writeUInt16BE(third, id * WIDTH + 5);
}

/** An object stream of these objects. */
export function objectStream(objects: readonly (readonly [number, string])[]): Buffer {
  let at = 0;
  const heads: string[] = [];
  for (const [id, body] of objects) {
    heads.push(`${id} ${at} `);
    at += body.length + 1;
  }
  const head = heads.join('');
  const content = Buffer.from(head + objects.map(([, body]) => body).join('\n'), 'latin1');
  return streamOf(`/Type/ObjStm/N ${objects.length}/First ${head.length}`, content, true);
}

/** A stream's body. */
export function streamOf(entries: string, content: Buffer, isPacked = false): Buffer {
  const data = isPacked ? deflateSync(content) : content;
  const filter = isPacked ? '/Filter/FlateDecode' : '';
  return Buffer.concat([
    Buffer.from(`<<${entries}${filter}/Length ${data.length}>>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream'),
  ]);
}
