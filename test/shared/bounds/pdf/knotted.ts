import { streamOf } from './file.ts';
import {
  fill,
  makeFile,
  makeTableFile,
  numberObjects,
  type Objects,
  repeat,
  type Shape,
  SIGNATURE,
  withForm,
} from './parts.ts';

const small = (catalog: string, more: Objects = {}): Buffer => makeFile({ 1: catalog, ...more });

/** Files with hostile references between their parts. */
export const KNOTTED: Readonly<Record<string, Shape>> = {
  'a dictionary of many keys': (bytes) =>
    makeFile({
      1: `<</Type/Catalog/Pages 2 0 R/A<<${repeat(bytes / 10, (at) => `/${at.toString(36)} 0`)}>>>>`,
    }),
  'a dictionary in every other': (bytes) =>
    makeFile({ 1: `<</Type/Catalog/Pages 2 0 R/A[${fill('<</A<</A<</A 1>>>>>>', bytes)}]>>` }),
  'a page tree in which every node is twice the next': () =>
    makeFile({
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [10 + at, `<</Kids[${11 + at} 0 R ${11 + at} 0 R]/Count 99>>`]),
      ),
      2: '<</Type/Pages/Kids[10 0 R]/Count 99999>>',
      70: '<</Kids[]>>',
    }),
  'a large page that is there thousands of times': (bytes) =>
    makeFile({
      2: `<</Kids[${fill('3 0 R ', bytes / 2)}]/Count 7>>`,
      3: `<</Kids 9/A(${'a'.repeat(bytes / 2)})>>`,
    }),
  'a stream whose dictionary is large, as every page': (bytes) =>
    makeFile({
      2: `<</Kids[${fill('6 0 R ', bytes / 2)}]/Count 7>>`,
      6: `<</Length 0/A(${'a'.repeat(bytes / 2)})>>\nstream\n\nendstream`,
    }),
  'a stream without a length, as every page': (bytes) =>
    makeFile({
      2: `<</Kids[${fill('6 0 R ', bytes / 2)}]/Count 7>>`,
      6: `<</A 1>>\nstream\n${'a'.repeat(bytes / 2)}\nendstream`,
    }),
  'a stream whose length stands behind blanks, as every page': (bytes) =>
    makeFile({
      2: `<</Kids[${fill('6 0 R ', bytes / 2)}]/Count 7>>`,
      6: '<</Length 7 0 R>>\nstream\n\nendstream',
      7: `${' '.repeat(bytes / 2)}/A`,
    }),
  'fields that all have the same kids': (bytes) => {
    const count = bytes / 60;
    const fields = numberObjects(count, () => '<</T(a)/Kids 9 0 R>>');
    const kids = repeat(count, (at) => `${10 + at} 0 R `);
    return makeFile({ 1: withForm('/Fields 9 0 R'), 9: `[${kids}]`, ...Object.fromEntries(fields) });
  },
  'few fields that all have the same kids': (bytes) => {
    const count = Math.min(5000, bytes / 60);
    const fields = numberObjects(count, () => '<</T(a)/Kids 9 0 R>>');
    const kids = repeat(count, (at) => `${10 + at} 0 R `);
    return makeFile({ 1: withForm('/Fields 9 0 R'), 9: `[${kids}]`, ...Object.fromEntries(fields) });
  },
  'many fields, packed': (bytes) =>
    makeFile(
      { 1: withForm(`/Fields[${repeat(bytes / 12, (at) => `${10 + at} 0 R `)}]`) },
      { packed: numberObjects(bytes / 12, (at) => `<</T(${at})>>`) },
    ),
  'many signed fields, packed': (bytes) =>
    makeFile(
      { 1: withForm(`/Fields[${repeat(bytes / 12, (at) => `${10 + at} 0 R `)}]`) },
      { packed: numberObjects(bytes / 12, (at) => `<</T(${at})/FT/Sig/V<<>>>>`) },
    ),
  'many pages, packed': (bytes) =>
    makeFile(
      { 2: `<</Kids[${repeat(bytes / 12, (at) => `${10 + at} 0 R `)}]/Count 7>>` },
      { packed: numberObjects(bytes / 12, () => '<<>>') },
    ),
  'packed objects that are not where they should be': (bytes) =>
    makeFile(
      { 2: `<</Kids[${repeat(bytes / 12, (at) => `${10 + at} 0 R `)}]/Count 7>>` },
      { packed: numberObjects(bytes / 12, () => '<<>>'), indexOf: () => 999 },
    ),
  'fields in a group with a long name': (bytes) =>
    makeFile({
      1: withForm('/Fields[9 0 R]'),
      9: `<</T(${'a'.repeat(bytes / 2)})/Kids[${repeat(bytes / 120, (at) => `${10 + at} 0 R `)}]>>`,
      ...Object.fromEntries(numberObjects(bytes / 120, (at) => `<</T(${at})>>`)),
    }),
  'a field whose name is all full stops': (bytes) =>
    makeFile({
      1: withForm('/Fields[9 0 R 8 0 R]'),
      8: `<</T(b)/FT/Sig/V<<${SIGNATURE}>>/Lock<</Action/Include/Fields[(x)]>>>>`,
      9: `<</T(${'.'.repeat(bytes)})/FT/Sig>>`,
    }),
  'fields that are signed with the same': (bytes) =>
    makeFile({
      1: withForm(`/Fields[${repeat(bytes / 120, (at) => `${10 + at} 0 R `)}]`),
      9: `<<${SIGNATURE}/Name(${'a'.repeat(bytes / 4)})/Reference[${fill('<<>>', bytes / 4)}]>>`,
      ...Object.fromEntries(numberObjects(bytes / 120, (at) => `<</FT/Sig/T(a${at})/V 9 0 R>>`)),
    }),
  'fields that are signed with the same, packed': (bytes) =>
    makeFile(
      {
        1: withForm(`/Fields[${repeat(bytes / 40, (at) => `${10 + at} 0 R `)}]`),
        ...Object.fromEntries(numberObjects(bytes / 120, (at) => `<</FT/Sig/T(a${at})/V 9 0 R>>`)),
      },
      { packed: new Map([[9, `<<${SIGNATURE}/Name(${'a'.repeat(bytes / 2)})>>`]]) },
    ),
  'signatures over the same': (bytes) =>
    makeFile({
      1: withForm(`/Fields[${repeat(bytes / 330, (at) => `${10 + at} 0 R `)}]`),
      ...Object.fromEntries(numberObjects(bytes / 330, (at) => `<</FT/Sig/T(a${at})/V<<${SIGNATURE}>>>>`)),
    }),
  'a signature of many digits': (bytes) =>
    makeFile({
      1: withForm('/Fields[9 0 R]'),
      9: `<</FT/Sig/T(a)/V<</SubFilter/ETSI.CAdES.detached/ByteRange[0 9 19 9]/Contents<${'30'.repeat(bytes / 2)}>>>>>`,
    }),
  'long escapes': (bytes) =>
    makeFile({ 1: withForm('/Fields[9 0 R]'), 9: `<</FT/Sig/T(${'\\0'.repeat(bytes / 2)})>>` }),
  'long hexadecimal digits': (bytes) =>
    makeFile({ 1: withForm('/Fields[9 0 R]'), 9: `<</FT/Sig/T<${'30'.repeat(bytes / 2)}>>>` }),
  'long escaped names': (bytes) =>
    makeFile({ 1: `<</Type/Catalog/Pages 2 0 R/A/${'#41'.repeat(bytes / 3)}>>` }),
  'an image of zeros as every certificate, list and answer': (bytes) =>
    small(`<</Type/Catalog/Pages 2 0 R/DSS<</Certs[${KNOT}]/CRLs[${KNOT}]/OCSPs[${KNOT}]>>>>`, {
      9: streamOf('', Buffer.alloc(bytes * 3), true),
      10: Buffer.alloc(bytes, ' '),
    }),
  'an object stream that unpacks to much, many times': (bytes) => {
    const stream = streamOf('/Type/ObjStm/N 1/First 5', Buffer.from(`99 0 ${' '.repeat(bytes)}<<>>`), true);
    const copies = Object.fromEntries(numberObjects(50, () => stream));
    return makeFile({
      ...copies,
      2: `<</Kids[${repeat(50, (at) => `${100 + at} 0 R `)}]/Count 7>>`,
      99: Buffer.alloc(bytes, ' '),
    });
  },
  'objects that share their values': (bytes) => {
    const heads = repeat(2000, (at) => `%${String(100 + at).padStart(6, '0')} 0 obj [\n`);
    return sharing(heads, `${fill('1 0 R ', bytes)}]`, (at) => 100 + at, 2000);
  },
  'brackets without end': (bytes) =>
    Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(bytes)}\nstartxref\n9\n%%EOF`),
  'runs of nothing in a table': (bytes) =>
    Buffer.from(`%PDF-1.7\nxref\n${'0 0\n'.repeat(bytes / 4)}trailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF`),
  'runs of one in a stream': (bytes) => {
    const count = Math.floor(bytes / 8);
    const index = repeat(count, (at) => `${at * 2} 1 `);
    const stream = streamOf(
      `/Type/XRef/W[1 0 0]/Index[${index}]/Size 9/Root 1 0 R`,
      Buffer.alloc(count),
      true,
    );
    return Buffer.concat([
      Buffer.from('%PDF-1.7\n7 0 obj\n'),
      stream,
      Buffer.from('\nendobj\nstartxref\n9\n%%EOF'),
    ]);
  },
  'tables that share their entries': (bytes) => {
    const words = repeat(1900, () => '%xref ');
    const tail = `\n${fill('0 0\n', bytes)}trailer\n<</Root 1 0 R/Prev 9>>\n`;
    return Buffer.concat([Buffer.from(`%PDF-1.7\n${words}${tail}`), makeFile({}).subarray(9)]);
  },
  'many saves and many objects': (bytes) => {
    let file = makeTableFile({
      2: `<</Kids[${repeat(bytes / 80, (at) => `${10 + at} 0 R `)}]/Count 7>>`,
      ...Object.fromEntries(numberObjects(bytes / 80, () => '<<>>')),
    });
    const parts = [file];
    let at = file.length;
    let previous = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', at - 60))?.[1]);
    for (let save = 0; save < 1900; save++) {
      const part = Buffer.from(
        `xref\n9999999 1\n0000000000 00000 f \ntrailer\n<</Root 1 0 R/Prev ${previous}>>\nstartxref\n${at}\n%%EOF\n`,
      );
      previous = at;
      at += part.length;
      parts.push(part);
    }
    file = Buffer.concat(parts);
    return file;
  },
};

const KNOT = '9 0 R '.repeat(256);

// An object header inside a comment: the values after it belong to every object.
function sharing(heads: string, tail: string, idOf: (at: number) => number, count: number): Buffer {
  const kids = repeat(count, (at) => `${idOf(at)} 0 R `);
  const head = '%PDF-1.7\n';
  const parts = new Map<number, string>([
    [1, '<</Type/Catalog/Pages 2 0 R>>'],
    [2, `<</Kids[${kids}]/Count 7>>`],
  ]);
  let text = head;
  const runs: string[] = [];
  for (const [id, body] of parts) {
    runs.push(`${id} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`);
    text += `${id} 0 obj\n${body}\nendobj\n`;
  }
  const width = heads.length / count;
  for (let at = 0; at < count; at++)
    runs.push(`${idOf(at)} 1\n${String(text.length + at * width + 1).padStart(10, '0')} 00000 n \n`);
  text += `${heads}${tail}\nendobj\n`;
  const at = text.length;
  text += `xref\n${runs.join('')}trailer\n<</Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
