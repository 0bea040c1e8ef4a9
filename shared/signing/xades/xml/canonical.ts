import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { XmlRefused } from '../errors.ts';

/** Canonical XML 1.0, 1.1, or Exclusive XML Canonicalization. */
export type Canonicalization = {
  readonly kind: 'inclusive' | 'inclusive-1.1' | 'exclusive';
  readonly withComments: boolean;
  /** Exclusive only: the InclusiveNamespaces PrefixList. */
  readonly prefixes?: readonly string[];
};

const MODES = { inclusive: 0, exclusive: 1, 'inclusive-1.1': 2 } as const;

/** Streams the canonical form of a document, or of one element of it. */
export function canonicalize(
  { document, only }: { readonly document: XmlDocument; readonly only?: XmlElement | undefined },
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
    document.canonicalize(handler, {
      mode: MODES[how.kind],
      withComments: how.withComments,
      ...(how.prefixes?.length && { inclusiveNamespacePrefixes: [...how.prefixes] }),
      ...(only && { nodeSet: new Set([only]) }),
    });
  } catch (cause) {
    throw new XmlRefused(
      'relative-namespace',
      'The document has no canonical form. Usually a namespace is a relative address: make it absolute.',
      { cause },
    );
  }
}
