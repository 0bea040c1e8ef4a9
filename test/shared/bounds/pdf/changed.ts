import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { ONE_PAGE } from '../../signing/pades/documents.ts';
import { OPTIONS, person } from '../../signing/pades/parties.ts';
import { appendUpdate } from '../../signing/pades/tamper.ts';
import { streamOf } from './file.ts';
import { fill, makeTableFile, numberObjects, type Objects, repeat, type Shape, UNITS } from './parts.ts';

/** A signed file with an update of these objects. */
async function changedAfterSigning(
  before: (bytes: number) => Objects,
  after: Readonly<Record<number, string>>,
  bytes: number,
): Promise<Buffer> {
  const signed = await signPades(makeTableFile(before(bytes)), person, OPTIONS);
  return appendUpdate(signed, { objects: after });
}

/** Signed files with hostile updates. */
export const CHANGED: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    UNITS.map((unit) => [
      `a signed catalog full of ${unit}, saved again`,
      (bytes: number) =>
        changedAfterSigning(
          (size) => ({ 1: '<</Type/Catalog/Pages 2 0 R/A 9 0 R>>', 9: `[${fill(unit, size)}]` }),
          { 5: ONE_PAGE[5] },
          bytes,
        ),
    ]),
  ),
  ...Object.fromEntries(
    UNITS.map((unit) => [
      `a page with annotations ${unit}, saved again, where annotations are allowed`,
      async (bytes: number) => {
        // As many as can be signed here; a stream fills the rest of the file.
        const annotations = `[${fill(unit, bytes / 50)}]`;
        const base = makeTableFile({
          3: '<</Type/Page/Parent 2 0 R/Annots 9 0 R>>',
          6: streamOf('', Buffer.alloc(bytes)),
          9: annotations,
        });
        const signed = await signPades(base, person, { ...OPTIONS, certify: 3 });
        return appendUpdate(signed, { objects: { 5: ONE_PAGE[5] } });
      },
    ]),
  ),
  'an object stream of one value, appended': async (bytes) => {
    const signed = await signPades(makeTableFile({}), person, OPTIONS);
    const count = Math.floor(bytes / 30);
    const head = repeat(count, (at) => `${1000 + at} 0 `);
    const content = Buffer.from(`${head}[${fill('0 ', bytes / 2)}]`);
    const body = streamOf(`/Type/ObjStm/N ${count}/First ${head.length}`, content, true).toString('latin1');
    return appendUpdate(signed, { objects: { 900: body } });
  },
  'many objects, appended': async (bytes) => {
    const signed = await signPades(makeTableFile({}), person, OPTIONS);
    return appendUpdate(signed, {
      objects: Object.fromEntries(numberObjects(bytes / 50, () => '<<>>', 1000)),
    });
  },
  'many objects that were signed, saved again': (bytes) =>
    changedAfterSigning(
      (size) => ({
        1: '<</Type/Catalog/Pages 2 0 R/A 9 0 R>>',
        9: `[${repeat(size / 60, (at) => `${10 + at} 0 R `)}]`,
        ...Object.fromEntries(numberObjects(size / 60, () => '<<>>')),
      }),
      { 5: ONE_PAGE[5] },
      bytes,
    ),
};
