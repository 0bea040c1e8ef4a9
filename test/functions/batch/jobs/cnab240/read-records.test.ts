import { describe, expect, test } from 'vitest';
import { checkCnab240 } from '../../../../../functions/batch/jobs/domain/cnab240/check.ts';
import { complement, fileOf, inChunks, payment, remittance } from './remittance.ts';

const LINES = remittance([payment('A'), complement('B')], [payment('O')]);
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const check = (file: Buffer, chunk?: number) => checkCnab240(inChunks(file, chunk));
const DELIMITERS = [
  ['CRLF', '\r\n'],
  ['LF', '\n'],
  ['nothing', ''],
] as const;

describe.each(DELIMITERS)('records divided by %s', (_, delimiter) => {
  test('are read, with or without the last delimiter', async () => {
    expect(await check(fileOf(LINES, delimiter))).toMatchObject({ paymentCount: 2 });
    expect(await check(bytes(LINES.join(delimiter)))).toMatchObject({ paymentCount: 2 });
  });

  test.each([1, 7, 239, 240, 241, 242, 243, 481])('are read from chunks of %i bytes', async (size) => {
    expect(await check(fileOf(LINES, delimiter), size)).toMatchObject({ paymentCount: 2 });
  });

  test('have 240 bytes each: one byte less or more is refused at its record', async () => {
    const short = LINES.with(2, LINES[2]?.slice(0, 239) ?? '');
    await expect(check(fileOf(short, delimiter))).rejects.toMatchObject({ name: 'Cnab240Invalid' });
    const long = LINES.with(2, `${LINES[2]} `);
    await expect(check(fileOf(long, delimiter))).rejects.toMatchObject({ name: 'Cnab240Invalid' });
  });

  test('are whole: a file that ends inside a record is refused', async () => {
    const cut = bytes(LINES.join(delimiter)).subarray(0, -100);
    await expect(check(cut)).rejects.toThrow('column 141: expected 240 bytes before the end of the file');
  });
});

test.each([
  [
    'a short line',
    LINES.with(2, LINES[2]?.slice(0, 239) ?? ''),
    '\n',
    'Record 3, column 240: expected 240 bytes',
  ],
  ['a long line', LINES.with(2, `${LINES[2]} `), '\n', 'Record 3, column 241: expected LF after 240 bytes'],
  ['UTF-8', LINES.with(2, `${LINES[2]?.slice(0, 239)}Ã\x89`), '\r\n', 'Record 3, column 241: expected CR LF'],
])('%s is named by its record and column', async (_, lines, delimiter, message) => {
  await expect(check(fileOf(lines, delimiter))).rejects.toThrow(message);
});

test('lines of 239 bytes and LF are not records of 240 bytes without delimiter', async () => {
  const short = LINES.map((each) => each.slice(0, 239));
  await expect(check(fileOf(short, '\n'))).rejects.toThrow('Record 1, column 240: expected 240 bytes before');
});

test.each([
  ['CR', '\r'],
  ['LF', '\n'],
])('no record contains %s, not even where no field is checked', async (_, byte) => {
  const inside = LINES.with(2, `${LINES[2]?.slice(0, 199)}${byte}${LINES[2]?.slice(200)}`);
  await expect(check(fileOf(inside))).rejects.toThrow('Record 3, column 200: expected 240 bytes before');
});

test.each([
  ['CRLF, then LF', `${LINES[0]}\r\n${LINES.slice(1).join('\n')}`],
  ['LF, then CRLF', `${LINES[0]}\n${LINES.slice(1).join('\r\n')}`],
  ['LF, then nothing', `${LINES[0]}\n${LINES.slice(1).join('')}`],
  ['nothing, then LF', `${LINES[0]}${LINES.slice(1).join('\n')}`],
  ['CR alone', LINES.join('\r')],
  ['CRLF, at the end a CR alone', `${LINES.join('\r\n')}\r`],
  ['two at the end', `${LINES.join('\r\n')}\r\n\r\n`],
  ['an end-of-file mark of DOS', `${LINES.join('\r\n')}\r\n\x1a`],
])('delimiters that differ are refused: %s', async (_, text) => {
  await expect(check(bytes(text))).rejects.toMatchObject({ name: 'Cnab240Invalid' });
});

test('a source may use the memory of a chunk again', async () => {
  async function* reuse() {
    const memory = Buffer.alloc(100);
    for await (const chunk of inChunks(fileOf(LINES), memory.length)) {
      memory.set(chunk);
      yield memory.subarray(0, chunk.length);
      memory.fill('#');
    }
  }
  expect(await checkCnab240(reuse())).toMatchObject({ paymentCount: 2, totalCentavos: 20_000 });
});

test('nothing is read past the first bad record, and the source is closed', async () => {
  let given = 0;
  let closed = false;
  async function* source() {
    try {
      for (; given < 10; given++) yield bytes('x'.repeat(242));
    } finally {
      closed = true;
    }
  }
  await expect(checkCnab240(source())).rejects.toThrow('Record 1, column 1');
  expect({ given, closed }).toEqual({ given: 0, closed: true });
});
