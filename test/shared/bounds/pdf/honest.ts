import { ONE_PAGE } from '../../signing/pades/documents.ts';
import { type Body, type FileOptions, fileOf, streamOf } from './file.ts';

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';

const listOf = (ids: readonly number[]): string => `[${ids.map((id) => `${id} 0 R`).join(' ')}]`;

const range = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);

function madeOf(objects: Iterable<readonly [number, Body]>, options?: FileOptions): Buffer {
  return fileOf(new Map<number, Body>([[5, ONE_PAGE[5]], ...objects]), options);
}

/** Pages in one flat list, each with so many bytes of content. */
export function pages(count: number, contentBytes: number): Buffer {
  const ids = range(10, count);
  const content = streamOf('', Buffer.alloc(contentBytes, 'q '));
  return madeOf([
    [1, CATALOG],
    [2, `<</Type/Pages/Kids${listOf(ids)}/Count ${count}>>`],
    ...ids.flatMap((id): [number, Body][] => [
      [
        id,
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents ${id + count} 0 R>>`,
      ],
      [id + count, content],
    ]),
  ]);
}

/** A form whose fields all have an appearance. The fields are compressed or not. */
export function form(count: number, appearanceBytes: number, isPacked: boolean): Buffer {
  const ids = range(10, count);
  const appearance = streamOf(
    '/Type/XObject/Subtype/Form/BBox[0 0 150 20]',
    Buffer.alloc(appearanceBytes, 'q '),
    isPacked,
  );
  const fields = ids.map((id): [number, string] => [
    id,
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(field.${id})/TU(Field number ${id} of the form)/V(Value ${id})/DV()/Ff 4096` +
      `/Rect[50 600 200 620]/P 3 0 R/F 4/DA(/F1 0 Tf 0 g)/MK<</BC[0 0 0]>>/BS<</W 1/S/S>>/AP<</N ${id + count} 0 R>>>>`,
  ]);
  return madeOf(
    [
      [1, '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R>>'],
      [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
      [3, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots ${listOf(ids)}>>`],
      [6, `<</Fields${listOf(ids)}/DR<</Font<</F1 5 0 R>>>>/DA(/F1 0 Tf)>>`],
      ...(isPacked ? [] : fields),
      ...ids.map((id): [number, Body] => [id + count, appearance]),
    ],
    { packed: isPacked ? new Map(fields) : new Map() },
  );
}

/** A tagged document with so many structure elements, all compressed. */
export function tagged(count: number): Buffer {
  const ids = range(10, count);
  const elements = ids.map((id): [number, string] => [
    id,
    `<</Type/StructElem/S/P/P ${id === 10 ? 6 : 10 + Math.floor((id - 11) / 20)} 0 R/Pg 3 0 R/K[${id - 10}${
      20 * (id - 10) + 11 < 10 + count
        ? ` ${listOf(range(20 * (id - 10) + 11, 20).filter((kid) => kid < 10 + count)).slice(1, -1)}`
        : ''
    }]>>`,
  ]);
  return madeOf(
    [
      [1, '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>>>'],
      [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
      [3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>'],
      [4, streamOf('', Buffer.alloc(count, 'q '), true)],
      [6, '<</Type/StructTreeRoot/K 10 0 R>>'],
    ],
    { packed: new Map(elements) },
  );
}
