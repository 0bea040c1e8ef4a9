import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE } from './documents.ts';
import { OPTIONS, person } from './parties.ts';
import { bodyOf } from './tamper.ts';

export const OVERLAY =
  '<</Type/XObject/Subtype/Form/BBox[0 0 200 50]/Length 24>>\nstream\n1 g 0 0 200 50 re f     \nendstream';
export const FREE_TEXT =
  '<</Type/Annot/Subtype/FreeText/Rect[50 740 300 790]/Contents(Valor: R$ 999)/DA(/F1 18 Tf)>>';
export const stream = (content: string): string =>
  `<</Length ${content.length}>>\nstream\n${content}\nendstream`;

// Two pages, an image over the first, a form, and the unused objects that a shadow attack prepares.
export const PREPARED = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Names 16 0 R/Outlines 17 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>/XObject<</Hide 7 0 R>>>>/Contents[4 0 R 30 0 R]/Annots[11 0 R 13 0 R]>>',
  4: '<</Length 8 0 R>>\nstream\nBT /F1 18 Tf 50 760 Td (Valor: R$ 100) Tj ET /Hide Do\nendstream',
  6: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 9 0 R>>',
  7: OVERLAY,
  8: '53',
  9: stream('BT (Segunda) Tj ET'),
  10: '<</Fields[11 0 R]/DR<</Font<</F1 5 0 R>>>>/DA(/F1 0 Tf)>>',
  11: '<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/V()/Rect[50 600 200 620]/P 3 0 R/F 4/AP<</N 12 0 R>>>>',
  12: '<</Type/XObject/Subtype/Form/BBox[0 0 150 20]/Length 20>>\nstream\nBT (100) Tj ET      \nendstream',
  13: '<</Type/Annot/Subtype/Link/Rect[0 0 10 10]/A<</S/URI/URI(https://example.com)>>>>',
  16: '<</Dests<</Names[(a) [3 0 R/Fit]]>>>>',
  17: '<</Type/Outlines/First 18 0 R/Last 18 0 R/Count 1>>',
  18: '<</Title(Um)/Parent 17 0 R/Dest[3 0 R/Fit]>>',
  // A second document, which nothing refers to.
  20: '<</Type/Catalog/Pages 21 0 R/AcroForm 10 0 R>>',
  21: '<</Type/Pages/Kids[22 0 R]/Count 1>>',
  22: '<</Type/Page/Parent 21 0 R/MediaBox[0 0 595 842]/Contents 23 0 R>>',
  23: stream('BT (Outro contrato) Tj ET'),
};

export const signed = await signPades(buildPdf(PREPARED), person, OPTIONS);
export const page = bodyOf(signed, 3);
export const catalog = bodyOf(signed, 1);
export const form = bodyOf(signed, 10);

/** The offset of an object in the signed file. */
export function offsetOf(id: number): number {
  return signed.toString('latin1').indexOf(`\n${id} 0 obj\n`) + 1;
}
