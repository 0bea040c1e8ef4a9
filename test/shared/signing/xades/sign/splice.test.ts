import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INSERTIONS } from '../../../../../shared/signing/xades/insertions.ts';
import { ordinalsOf } from '../../../../../shared/signing/xades/xml/path.ts';
import { gapBy, splice } from '../../../../../shared/signing/xades/xml/splice.ts';
import { elementsAt, openXml } from '../../../../../shared/signing/xades/xml/tree.ts';
import { runs } from '../../../../faults/fuzz.ts';

// Everything that may stand in an element and looks like its end, or hides one.
const aside = fc.constantFrom(
  'text > "quoted"',
  'ção',
  '&lt;/a>',
  '<!-- </a> <b> -->',
  '<![CDATA[</a><a>]]>',
  '<?pi </a> ?>',
  '\r\n\t',
  '',
);
const name = fc.constantFrom('a', 'b', 'é', 'n:a', 'a-b.c');
const attributes = fc.constantFrom(
  '',
  ' x="/>"',
  " y='<'".replace('<', '&lt;'),
  ' \r\n z = "]]>"\t',
  " q='\"'",
);

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  content: fc.oneof({ depthSize: 'small' }, aside, tie('element')),
  element: fc
    .tuple(name, attributes, fc.array(tie('content'), { maxLength: 4 }), fc.boolean())
    .map(([tag, written, content, isEmpty]) =>
      isEmpty && content.length === 0
        ? `<${tag}${written}/>`
        : `<${tag}${written}>${content.join('')}</${tag}\n>`,
    ),
}));

const document = fc
  .tuple(fc.array(element, { maxLength: 4 }), fc.constantFrom('', '<!-- <x> -->', '<?pi <x> ?>\n'))
  .map(([parts, before]) => `${before}<n:root xmlns:n="urn:n">${parts.join('')}</n:root>${before}`);

const encoded = fc.tuple(document, fc.constantFrom('utf8', 'utf16le', 'utf16be')).map(([text, encoding]) => {
  if (encoding === 'utf8') return Buffer.from(text);
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf16le' ? wide : wide.swap16();
});

const AT = {
  AppendChild: 'name(node()[last()])',
  PrependChild: 'name(node()[1])',
  AppendSibling: 'name(following-sibling::node()[1])',
  PrependSibling: 'name(preceding-sibling::node()[1])',
};

test('the place that is found in the bytes is that by the element that the parser means, in any document', async () => {
  await fc.assert(
    fc.asyncProperty(encoded, fc.nat(), fc.constantFrom(...INSERTIONS), async (bytes, choice, asked) => {
      const xml = openXml(bytes);
      const { ordinals, count, at } = xml.parsed((tree) => {
        const every = elementsAt(tree, '//*');
        const chosen = every[choice % every.length] ?? tree.root;
        return { ordinals: ordinalsOf(chosen), count: every.length, at: choice % every.length };
      });
      // Beside the root is no place.
      const insertion = at === 0 ? 'AppendChild' : asked;
      const marked = splice(xml.source, gapBy(xml.source, ordinals, insertion), '<mark/>');
      openXml(marked).parsed((tree) => {
        const chosen = tree.document.find('//*[not(self::mark)]')[at];
        expect(tree.document.find('//*')).toHaveLength(count + 1);
        expect(chosen?.eval(AT[insertion])).toBe('mark');
      });
    }),
    { numRuns: runs(300) },
  );
});
