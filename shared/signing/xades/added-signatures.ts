import { createHash } from 'node:crypto';
import { XmlRefused } from './errors.ts';
import { signaturesOf } from './signatures.ts';
import { canonicalize } from './xml/canonical.ts';
import { openXml } from './xml/tree.ts';

/**
 * Whether a signed document is the original with further signatures and without any other change. A signature platform
 * lets its users replace the file of a document, and people may then sign another one. The signatures themselves are
 * judged elsewhere.
 * @example if (!addsOnlySignatures(original, signed)) return 'It is another file than the one that was handed over.';
 */
export function addsOnlySignatures(original: Uint8Array, signed: Uint8Array): boolean {
  try {
    const [before, after] = [measureContent(original), measureContent(signed)];
    return after.digest === before.digest && after.signatures > before.signatures;
  } catch (error) {
    if (error instanceof XmlRefused) return false;
    throw error;
  }
}

/** The digest of the canonical form without signatures, and how many there are. */
function measureContent(bytes: Uint8Array) {
  return openXml(bytes).parsed((tree) => {
    const signatures = signaturesOf(tree).filter(({ isInner }) => !isInner);
    for (const { element } of signatures) element.remove();
    const hash = createHash('sha256');
    canonicalize({ document: tree.document }, { kind: 'inclusive', withComments: true }, (part) => {
      hash.update(part);
    });
    return { digest: hash.digest('hex'), signatures: signatures.length };
  });
}
