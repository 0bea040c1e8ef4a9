import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { XmlElement } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { XmlRefused } from '../../../../../shared/signing/xades/errors.ts';
import { createXmlBudget } from '../../../../../shared/signing/xades/xml/budget.ts';
import { type Canonicalization, canonicalize } from '../../../../../shared/signing/xades/xml/canonical.ts';
import { writeForms } from '../../../../../shared/signing/xades/xml/forms.ts';
import { isInLine, lineOf } from '../../../../../shared/signing/xades/xml/path.ts';
import { takeForms } from '../../../../../shared/signing/xades/xml/take-forms.ts';
import type { FormRequest } from '../../../../../shared/signing/xades/xml/task.ts';
import { elementsAt, openXml, type Tree } from '../../../../../shared/signing/xades/xml/tree.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { canonicalization, document } from './arbitrary-documents.ts';

const UNLIMITED = { ...createXmlBudget(0), leftUnits: Number.POSITIVE_INFINITY };

/** The requests, by the positions of elements in their document; `out` are elements to take out. */
type FormInput = {
  readonly of: number | 'document';
  readonly out: readonly number[];
  readonly how: Canonicalization;
};

const every = (tree: Tree): XmlElement[] => elementsAt(tree, '//*');

// Only what stands in the target, not the target itself, and of two in each other the outer one.
function outsOf(tree: Tree, { of, out }: FormInput): XmlElement[] {
  const all = every(tree);
  const element = of === 'document' ? undefined : all[of % all.length];
  const line = element && lineOf(element);
  const inside = [...new Set(out.map((at) => at % all.length))]
    .flatMap((at) => all[at] ?? [])
    .filter((one) => !line || (isInLine(line, lineOf(one)) && !element?.isSameNode(one)));
  return inside.filter(
    (one) => !inside.some((other) => other !== one && isInLine(lineOf(other), lineOf(one))),
  );
}

const targetOf = (tree: Tree, { of }: FormInput): XmlElement | 'document' => {
  const all = every(tree);
  return of === 'document' ? of : (all[of % all.length] ?? 'document');
};

/** The plain way: a fresh tree for each, what is out is removed for good, and the whole tree is walked over. */
function takeOneForm(document: Buffer, input: FormInput): string {
  return openXml(document, UNLIMITED).parsed((tree) => {
    const target = targetOf(tree, input);
    for (const element of outsOf(tree, input)) element.remove();
    const hash = createHash('sha256');
    const home = { document: tree.document, ...(target !== 'document' && { only: target }) };
    canonicalize(home, input.how, (part) => void hash.update(part));
    return hash.digest('hex');
  });
}

const requestsIn = (tree: Tree, inputs: readonly FormInput[]): FormRequest[] =>
  inputs.map((input, at) => ({
    key: String(at),
    of: targetOf(tree, input),
    without: outsOf(tree, input),
    how: input.how,
    as: 'sha256',
  }));

function takeAllForms(document: Buffer, inputs: readonly FormInput[]): string[] {
  const xml = openXml(document, UNLIMITED);
  const { formOf } = takeForms(xml, (tree) => ({ requests: requestsIn(tree, inputs) }));
  return inputs.map((_, at) => {
    const form = formOf({ key: String(at), as: 'sha256' });
    if (form instanceof XmlRefused) throw form;
    return form.toString('hex');
  });
}

const inputs: fc.Arbitrary<FormInput[]> = fc.array(
  fc.record({
    of: fc.oneof(
      { weight: 5, arbitrary: fc.nat(40) },
      { weight: 1, arbitrary: fc.constant('document' as const) },
    ),
    out: fc.array(fc.nat(40), { maxLength: 3 }),
    how: canonicalization,
  }),
  { minLength: 1, maxLength: 8 },
);

describe('canonical forms that are taken out of one tree', () => {
  test('are those that a tree for each would give, whatever is requested of whatever document', () => {
    fc.assert(
      fc.property(document, inputs, (bytes, requests) => {
        expect(takeAllForms(bytes, requests)).toEqual(requests.map((input) => takeOneForm(bytes, input)));
      }),
      { numRuns: runs(1000) },
    );
  });

  const plain = { kind: 'exclusive', withComments: false } as const;
  const batch = Buffer.from('<l><a><s1/><b><s2/></b></a><s3/></l>'); // l 0, a 1, s1 2, b 3, s2 4, s3 5

  test.each<[string, FormInput[]]>([
    [
      'parts beside each other',
      [
        { of: 1, out: [2], how: plain },
        { of: 5, out: [], how: plain },
      ],
    ],
    [
      'parts in each other',
      [
        { of: 3, out: [4], how: plain },
        { of: 1, out: [2], how: plain },
        { of: 4, out: [], how: plain },
      ],
    ],
    [
      'all but the last, and what it holds',
      [
        { of: 'document', out: [5], how: plain },
        { of: 1, out: [2], how: plain },
      ],
    ],
    [
      'more and less of the same',
      [
        { of: 0, out: [2, 4, 5], how: plain },
        { of: 0, out: [5], how: plain },
        { of: 0, out: [], how: plain },
      ],
    ],
  ])('come from one tree: %s', (_what, requests) => {
    openXml(batch).parsed((tree) => {
      expect(writeForms(tree, requestsIn(tree, requests))).not.toContain(undefined);
    });
  });

  test('come from a tree each where every one holds what the others leave out', () => {
    const requests = [2, 4, 5].map((out) => ({ of: 'document', out: [out], how: plain }) as const);
    openXml(batch).parsed((tree) => {
      expect(writeForms(tree, requestsIn(tree, requests)).filter((form) => form === undefined)).toHaveLength(
        2,
      );
    });
    expect(takeAllForms(batch, requests)).toEqual(requests.map((input) => takeOneForm(batch, input)));
  });
});
