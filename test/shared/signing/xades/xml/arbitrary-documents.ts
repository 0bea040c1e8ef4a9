import fc from 'fast-check';
import type { Canonicalization } from '../../../../../shared/signing/xades/xml/canonical.ts';

const KINDS = ['exclusive', 'inclusive', 'inclusive-1.1'] as const;
export const canonicalization: fc.Arbitrary<Canonicalization> = fc.oneof(
  fc.constantFrom(...KINDS).map((kind) => ({ kind, withComments: false })),
  fc
    .subarray(['a', 'b', 'c', '#default', '__proto__'])
    .map((prefixes) => ({ kind: 'exclusive', withComments: false, prefixes }) as const),
);

// Every way in which what stands around an element shows in its canonical form, or must not.
const declarations = fc.subarray([
  ' xmlns="u:0"',
  ' xmlns:a="u:a"',
  ' xmlns:b="u:b"',
  ' xmlns:c="u:1"',
  ' xmlns:__proto__="u:p"',
  ' xml:lang="pt"',
  ' xml:space="preserve"',
  ' xml:base="http://x.br/y/"',
  ' x="1"',
]);
const undeclared = fc.constantFrom('', '', ' xmlns=""', ' xmlns:a="u:other"', ' xmlns:b="u:a"');
const named = fc.constantFrom('n', 'n', 'r:n', 'r:m');
const aside = fc.constantFrom('text', '<!-- c -->', '<?p i?>', '<![CDATA[<x>]]>', '&amp;\r\n', '');
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      named,
      fc.oneof(
        { weight: 2, arbitrary: undeclared },
        { weight: 1, arbitrary: declarations.map((all) => all.join('')) },
      ),
      fc.array(fc.oneof({ depthSize: 'small' }, aside, tie('element')), { maxLength: 4 }),
      fc.constantFrom('', ' r:y="2"', ' z="3"'),
    )
    .map(([name, declared, content, more]) => `<${name}${declared}${more}>${content.join('')}</${name}>`),
}));
export const document = fc
  .tuple(declarations, fc.array(element, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '<?p i?>'))
  .map(([declared, content, beside]) =>
    Buffer.from(`${beside}<root xmlns:r="u:r"${declared.join('')}>${content.join('')}</root>${beside}`),
  );
