import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chargeTime } from '../../../../../shared/bounds/budget.ts';
import { XmlRefused } from '../../../../../shared/signing/xades/errors.ts';
import { createXmlBudget } from '../../../../../shared/signing/xades/xml/budget.ts';
import { measure } from '../../../../../shared/signing/xades/xml/cost.ts';
import { lineOf } from '../../../../../shared/signing/xades/xml/path.ts';
import { readSource } from '../../../../../shared/signing/xades/xml/source.ts';
import { elementsAt, openXml } from '../../../../../shared/signing/xades/xml/tree.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { document } from './arbitrary-documents.ts';

const wide = (bytes: Buffer): Buffer => Buffer.from(`\ufeff${bytes}`, 'utf16le');

describe('what is counted in a document before it is parsed', () => {
  test.each([
    ['UTF-8', (bytes: Buffer) => bytes],
    ['UTF-16', wide],
    ['UTF-16, the big end first', (bytes: Buffer) => wide(bytes).swap16()],
  ])('is what the parser then finds, in %s', (_encoding, encoded) => {
    fc.assert(
      fc.property(document, (text) => {
        const bytes = encoded(text);
        const { totals, most } = measure(readSource(bytes));
        openXml(bytes).parsed((tree) => {
          const count = (what: string): number => Number(tree.document.eval(`count(${what})`));
          const levels = elementsAt(tree, '//*').map((element) => lineOf(element).length - 1);
          expect(totals.elements).toBe(levels.length);
          expect(totals.levels).toBe(levels.reduce((a, b) => a + b, 0));
          expect(most.levels).toBe(Math.max(...levels));
          expect(totals.attributes).toBe(count('//@*'));
          // A text beside a section is one node where two are counted, and never the other way round.
          expect(totals.asides).toBeGreaterThanOrEqual(count('//node()') - totals.elements);
        });
      }),
      { numRuns: runs(300) },
    );
  });

  test('are namespaces apart from attributes, and how many are in scope', () => {
    const source = readSource(
      Buffer.from('<a xmlns = "u:a" xmlns:b="u:b" xmlnsc=""><b:d xmlns:e="u:e"/><f/></a>'),
    );
    expect(measure(source)).toMatchObject({
      totals: { elements: 3, attributes: 1, namespaces: 3, scope: 2 + 3 + 2, scopeSquared: 4 + 9 + 4 },
      most: { levels: 1, scope: 3, attributes: 1 },
      hasComments: false,
      hasCData: false,
    });
  });

  test('are characters that take longer: those outside ASCII, and references', () => {
    const { totals } = measure(readSource(Buffer.from('<a b="&lt;">é &#233;</a>')));
    expect(totals).toMatchObject({ slowBytes: 2, references: 2 });
  });
});

describe('the budget', () => {
  test('is allowed by size, up to a most that no document goes past', () => {
    const units = [0, 1e6, 1e7, 1e8, 1e9].map((bytes) => createXmlBudget(bytes).leftUnits);
    expect(units).toEqual(units.toSorted((a, b) => a - b));
    expect(units[3]).toBe(units[4]);
  });

  test('is refused by its name when more is asked for than is left', () => {
    const budget = { ...createXmlBudget(0), leftUnits: 10 };
    chargeTime(budget, 10);
    expect(() => chargeTime(budget, 1)).toThrow(XmlRefused);
    expect(() => chargeTime(budget, 0)).toThrow(expect.objectContaining({ reason: 'too-complex' }));
  });
});
