import { header } from '../../../shared/der/write.ts';
import type { Case } from './cost.ts';

/** An element of a file: its parts, or its raw bytes. */
type Node = { readonly tag: number; readonly parts?: readonly Node[]; readonly content: Buffer };
type Raw = { readonly raw: Buffer };
type Place = readonly number[];

const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const NULL = Buffer.from([0x05, 0x00]);
const SEQUENCE = 0x30;
const MAX_NESTED_BYTES = 200_000; // tens of thousands of levels are enough
const MAX_HEADER_BYTES = 5;

/** The changes to one element: repeated, full of tiny elements, long, or deeply nested. */
const SHAPES: Readonly<Record<string, (node: Node, bytes: number) => readonly (Node | Raw)[]>> = {
  repeated: (node, bytes) => {
    const one = written(node);
    return [{ raw: Buffer.alloc(one.length * Math.max(2, Math.floor(bytes / one.length)), one) }];
  },
  'in crumbs': (node, bytes) => {
    const crumbs = Buffer.alloc(bytes - (bytes % 2), NULL);
    return node.parts ? [{ tag: node.tag, content: withBits(node, crumbs) }] : [node, { raw: crumbs }];
  },
  long: ({ tag, content }, bytes) => [{ tag, content: Buffer.alloc(bytes, content.length ? content : NULL) }],
  'deep inside': (node, bytes) => [{ raw: nested(written(node), Math.min(bytes, MAX_NESTED_BYTES)) }],
};

/**
 * Variants of a DER file, each with one element made hostile in one way, at about so many bytes. Strings that contain
 * elements are opened too. `every` selects one of so many variants.
 */
export function* hostileDer(sample: Buffer, bytes: number, every = 1): Generator<Case> {
  const nodes = nodesIn(sample);
  let count = 0;
  for (const place of placesIn(nodes))
    for (const [shape, change] of Object.entries(SHAPES)) {
      if (count++ % every) continue;
      yield {
        name: `element ${place.join('.')} ${shape}, ${bytes} bytes`,
        bytes: () => Buffer.concat(changed(nodes, place, (node) => change(node, bytes)).map(written)),
      };
    }
}

/** An element in sequences, each in the next. They are written from the innermost to the front: one by one takes seconds. */
function nested(inner: Buffer, bytes: number): Buffer {
  const file = Buffer.alloc(Math.max(bytes, inner.length) + MAX_HEADER_BYTES);
  let start = file.length - inner.length;
  inner.copy(file, start);
  while (file.length - start < bytes) {
    const length = file.length - start;
    const lengthBytes = [0x7f, 0xff, 0xffff, 0xffffff].findIndex((most) => length <= most);
    if (lengthBytes > 0) {
      start -= lengthBytes;
      file.writeUIntBE(length, start, lengthBytes);
    }
    file.writeUInt8(lengthBytes > 0 ? 0x80 | lengthBytes : length, --start);
    file.writeUInt8(SEQUENCE, --start);
  }
  return file.subarray(start);
}

function nodesIn(bytes: Buffer): Node[] {
  const found: Node[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const count = first > 0x80 ? first & 0x7f : 0;
    const length = count ? bytes.readUIntBE(at + 2, count) : first;
    const start = at + 2 + count;
    if (start + length > bytes.length) throw new RangeError('These bytes are no DER.');
    const content = bytes.subarray(start, start + length);
    const parts = partsOf(tag, content);
    found.push({ tag, content, ...(parts && { parts }) });
    at = start + length;
  }
  return found;
}

function partsOf(tag: number, content: Buffer): readonly Node[] | undefined {
  if (tag & 0x20) return nodesIn(content);
  if (tag !== OCTET_STRING && tag !== BIT_STRING) return undefined;
  try {
    const inner = nodesIn(tag === BIT_STRING ? content.subarray(1) : content);
    return inner.some((node) => node.tag & 0x20) ? inner : undefined;
  } catch {
    return undefined; // a hash, a key, a text
  }
}

function* placesIn(nodes: readonly Node[], above: Place = []): Generator<Place> {
  for (const [at, { parts = [] }] of nodes.entries()) {
    yield [...above, at];
    yield* placesIn(parts, [...above, at]);
  }
}

function changed(
  nodes: readonly Node[],
  [first, ...rest]: Place,
  change: (node: Node) => readonly (Node | Raw)[],
): (Node | Raw)[] {
  return nodes.flatMap((node, at): readonly (Node | Raw)[] => {
    if (at !== first) return [node];
    if (rest.length === 0) return change(node);
    const parts = changed(node.parts ?? [], rest, change);
    return [{ tag: node.tag, content: withBits(node, Buffer.concat(parts.map(written))) }];
  });
}

// The first byte of a bit string counts the unused bits of its last byte.
const withBits = ({ tag }: Node, content: Buffer): Buffer =>
  tag === BIT_STRING ? Buffer.concat([Buffer.from([0]), content]) : content;

const written = (node: Node | Raw): Buffer =>
  'raw' in node ? node.raw : Buffer.concat([header(node.tag, node.content.length), node.content]);
