import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { expect, onTestFinished, test } from 'vitest';
import { WORKBOOK_TYPE, writeWorkbook } from '../../../shared/archive/workbook.ts';
import { runs } from '../../faults/fuzz.ts';
import { peakBytes } from './peak-memory.ts';

const COLUMNS = [
  { title: 'File', width: 40 },
  { title: 'Status', width: 12 },
];
const bytesOf = (rows: Iterable<readonly string[]>, sheetName = 'Jobs', columns = COLUMNS): Promise<Buffer> =>
  buffer(
    Readable.from(
      writeWorkbook({ sheetName, columns, rows: Readable.from(rows), modifiedAtMs: Date.UTC(2026, 0) }),
    ),
  );

const NAMESPACES = {
  m: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  r: 'http://schemas.openxmlformats.org/package/2006/relationships',
  t: 'http://schemas.openxmlformats.org/package/2006/content-types',
};

/** The parts of a workbook, each of them well-formed XML. */
async function open(bytes: Promise<Buffer>) {
  const parts = Object.entries(unzipSync(await bytes)).map(([path, xml]) => {
    const document = XmlDocument.fromBuffer(xml);
    onTestFinished(() => document.dispose());
    return [path, document] as const;
  });
  const documents = new Map(parts);
  const find = (path: string, query: string): XmlElement[] =>
    (documents.get(path) ?? expect.fail(path)).find(query, NAMESPACES) as XmlElement[];
  return { paths: [...documents.keys()], find };
}

const SHEET = 'xl/worksheets/sheet1.xml';
// ST_Xstring, as Excel and LibreOffice read it.
const decode = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The cells by their place. */
async function cellsOf(bytes: Promise<Buffer>): Promise<Record<string, string>> {
  const { find } = await open(bytes);
  return Object.fromEntries(
    find(SHEET, '//m:c').map((cell) => {
      expect(cell.attr('t')?.value).toBe('inlineStr');
      return [cell.attr('r')?.value ?? '', decode(cell.content)];
    }),
  );
}

test('has its titles in the first row, and each row below', async () => {
  const rows = [
    ['contrato.pdf', 'Completed'],
    ['', 'Failed'],
    ['procuração ✍.xml', ''],
  ];
  expect(await cellsOf(bytesOf(rows))).toEqual({
    ...{ A1: 'File', B1: 'Status' },
    ...{ A2: 'contrato.pdf', B2: 'Completed' },
    ...{ B3: 'Failed' },
    ...{ A4: 'procuração ✍.xml' },
  });
});

test('has its titles alone where there are no rows', async () => {
  expect(await cellsOf(bytesOf([]))).toEqual({ A1: 'File', B1: 'Status' });
});

test.each([
  '=1+1',
  '=HYPERLINK("http://evil","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  "'=1",
  '=cmd|"/c calc"!A1',
])('a name that is %j stays that name: text, in a cell of the text format, and no formula', async (name) => {
  const { find } = await open(bytesOf([[name]]));
  const [cell] = find(SHEET, '//m:c[@r="A2"]');
  expect(cell?.attr('t')?.value).toBe('inlineStr');
  expect(cell?.content).toBe(name);
  expect(find(SHEET, '//m:f | //m:v')).toEqual([]);
  const format = find('xl/styles.xml', '//m:cellXfs/m:xf')[Number(cell?.attr('s')?.value)];
  expect(format?.attr('numFmtId')?.value).toBe('49');
});

test('any text is a cell: markup as it is, and without what XML forbids', async () => {
  const rows = [
    ['<b>&amp;"\'</b>]]>', 'a\u0000\u0008b\u000Bc\uFFFEd\uD800e'],
    ['_x0041_', ' two  spaces '],
  ];
  expect(await cellsOf(bytesOf(rows))).toMatchObject({
    A2: '<b>&amp;"\'</b>]]>',
    B2: 'abcd\uFFFDe',
    A3: '_x0041_',
    B3: ' two  spaces ',
  });
});

test('no text breaks it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (texts) => {
      const cells = await cellsOf(bytesOf(texts.map((text) => [text])));
      const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
      texts.forEach((text, at) => {
        // XML reads every end of line as a line feed.
        const expected = text.replace(forbidden, '').replace(/\r\n?/g, '\n');
        expect(cells[`A${at + 2}`] ?? '').toBe(expected);
      });
    }),
    { numRuns: runs(50) },
  );
});

test('a text that no cell can hold is cut', async () => {
  const { A2 } = await cellsOf(bytesOf([['x'.repeat(40_000)]]));
  expect(A2).toHaveLength(32_767);
});

test('its first row stays in sight, and its columns are as wide as asked for', async () => {
  const { find } = await open(bytesOf([]));
  const [pane] = find(SHEET, '/m:worksheet/m:sheetViews/m:sheetView/m:pane');
  expect([pane?.attr('ySplit')?.value, pane?.attr('state')?.value]).toEqual(['1', 'frozen']);
  expect(find(SHEET, '//m:col').map((column) => column.attr('width')?.value)).toEqual(['40', '12']);
  const order = find(SHEET, '/m:worksheet/*').map(({ name }) => name);
  expect(order).toEqual(['sheetViews', 'cols', 'sheetData']);
});

test('columns after Z have two letters', async () => {
  const columns = Array.from({ length: 30 }, (_, at) => ({ title: `${at}`, width: 5 }));
  const cells = await cellsOf(bytesOf([], 'Jobs', columns));
  expect(cells).toMatchObject({ A1: '0', Z1: '25', AA1: '26', AD1: '29' });
});

test('every part is declared, and every relationship leads to one', async () => {
  const { paths, find } = await open(bytesOf([['a']], 'A & "B"'));
  const overrides = find('[Content_Types].xml', '//t:Override').map((part) => part.attr('PartName')?.value);
  for (const path of overrides) expect(paths).toContain(path?.slice(1));
  const [main] = find('[Content_Types].xml', '//t:Override[@PartName="/xl/workbook.xml"]');
  expect(main?.attr('ContentType')?.value).toBe(`${WORKBOOK_TYPE}.main+xml`);
  const targets = (path: string) => find(path, '//r:Relationship').map((each) => each.attr('Target')?.value);
  expect(targets('_rels/.rels')).toEqual(['xl/workbook.xml']);
  for (const target of targets('xl/_rels/workbook.xml.rels')) expect(paths).toContain(`xl/${target}`);
  expect(find('xl/workbook.xml', '//m:sheet')[0]?.attr('name')?.value).toBe('A & "B"');
});

test('more rows than a worksheet holds are an error, and never a shorter workbook', async () => {
  function* rows() {
    for (let row = 0; row < 1_048_576; row++) yield [];
  }
  await expect(bytesOf(rows())).rejects.toThrow('at most 1048576 rows');
});

test('50,000 rows take little more memory than 500', () => {
  const grownMb = (peakBytes('workbook', 50_000) - peakBytes('workbook', 500)) / 2 ** 20;
  expect(grownMb).toBeLessThan(64);
});
