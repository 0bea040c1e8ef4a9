import type { XmlElement } from 'libxml2-wasm';
import { type Digest, openHash } from '../../digest.ts';
import { XmlRefused } from '../errors.ts';
import type { Tree } from './tree.ts';

/** How nodes become bytes (Canonical XML 1.0, 1.1, or Exclusive XML Canonicalization). */
export type Canonicalization = {
  readonly kind: 'inclusive' | 'inclusive-1.1' | 'exclusive';
  readonly withComments: boolean;
  /** Exclusive only: prefixes that are treated the inclusive way. */
  readonly prefixes?: readonly string[];
};

const MODES = { inclusive: 0, exclusive: 1, 'inclusive-1.1': 2 } as const;

function write(
  tree: Tree,
  apex: XmlElement | 'document',
  how: Canonicalization,
  take: (part: Uint8Array) => void,
): void {
  const handler = {
    write: (part: Uint8Array) => {
      take(part);
      return part.byteLength;
    },
    close: () => true,
  };
  try {
    tree.document.canonicalize(handler, {
      mode: MODES[how.kind],
      withComments: how.withComments,
      ...(how.prefixes?.length && { inclusiveNamespacePrefixes: [...how.prefixes] }),
      ...(apex !== 'document' && { nodeSet: new Set([apex]) }),
    });
  } catch (cause) {
    throw new XmlRefused(
      'relative-namespace',
      'The document has no canonical form. Usually a namespace is a relative address: make it absolute.',
      { cause },
    );
  }
}

/** The canonical form of an element, for parts that are small. @example canonicalBytes(tree, signedInfo, how) */
export function canonicalBytes(
  tree: Tree,
  apex: XmlElement | 'document',
  how: Canonicalization,
  most = Number.POSITIVE_INFINITY,
): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  write(tree, apex, how, (part) => {
    size += part.byteLength;
    if (size <= most) parts.push(Buffer.from(part)); // copied: the memory is the parser's
  });
  if (size > most) throw new XmlRefused('too-complex', `A part of a signature has more than ${most} bytes.`);
  return Buffer.concat(parts);
}

/** The digest of a canonical form, which is never held whole. @example canonicalDigest(tree, 'document', how, 'sha256') */
export function canonicalDigest(
  tree: Tree,
  apex: XmlElement | 'document',
  how: Canonicalization,
  digest: Digest,
): Buffer {
  const hash = openHash(digest);
  write(tree, apex, how, (part) => void hash.update(part));
  return hash.digest();
}
