import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Canonicalization, canonicalize } from '../../../../../shared/signing/xades/xml/canonical.ts';
import { detachElement, losesWhenDetached } from '../../../../../shared/signing/xades/xml/detach.ts';
import { inheritsContext } from '../../../../../shared/signing/xades/xml/task.ts';
import { elementsAt, openXml } from '../../../../../shared/signing/xades/xml/tree.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { canonicalization, document } from './arbitrary-documents.ts';

function formOf(home: Parameters<typeof canonicalize>[0], how: Canonicalization): string {
  const parts: Buffer[] = [];
  canonicalize(home, how, (part) => parts.push(Buffer.from(part)));
  return Buffer.concat(parts).toString();
}

test('an element that is detached has the canonical form that it had in its place, and so has all in it', () => {
  fc.assert(
    fc.property(document, canonicalization, fc.nat(40), fc.nat(40), (bytes, how, first, second) => {
      openXml(bytes).parsed((tree) => {
        const every = elementsAt(tree, '//*');
        const element = every[first % every.length] ?? tree.root;
        if (inheritsContext(how) && losesWhenDetached(element)) return;
        const inside = element.find('descendant-or-self::*') as (typeof element)[];
        const inner = inside[second % inside.length] ?? element;
        const before = [element, inner].map((only) => formOf({ document: tree.document, only }, how));
        const moved = detachElement(element, { rebinds: inheritsContext(how) });
        try {
          expect([formOf({ document: moved }, how), formOf({ document: moved, only: inner }, how)]).toEqual(
            before,
          );
        } finally {
          moved.dispose();
        }
      });
    }),
    { numRuns: runs(1000) },
  );
});
