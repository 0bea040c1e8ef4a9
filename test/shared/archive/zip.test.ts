import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { writeZip, type ZipEntry, zipFiles } from '../../../shared/archive/zip.ts';
import { peakBytes } from './peak-memory.ts';

const run = promisify(execFile);
const has = (program: string, word: string) =>
  run(program, [word]).then(
    () => true,
    () => false,
  );
const [hasUnzip, hasPython] = [await has('unzip', '-v'), await has('python3', '--version')];

const folder = await mkdtemp(join(tmpdir(), 'sinete-zip-'));
afterAll(() => rm(folder, { recursive: true }));

const AT = Date.UTC(2026, 2, 4, 15, 16, 18);
const entry = (name: string, content: string | Uint8Array = name): ZipEntry => ({
  name,
  content: Readable.from([Buffer.from(content)]),
  modifiedAtMs: AT,
});
const from = (...entries: ZipEntry[]): AsyncIterable<ZipEntry> => Readable.from(entries);
const whole = (zip: AsyncIterable<Uint8Array>): Promise<Buffer> => buffer(Readable.from(zip));

/** What fflate reads: the text of each file by its name. */
const read = (zip: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
const namesIn = async (zip: AsyncIterable<Uint8Array>) => Object.keys(read(await whole(zip)));

/** What Python's zipfile reads, which checks every CRC: name, size and time. */
async function readByPython(path: string): Promise<unknown> {
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, i.file_size, list(i.date_time), i.external_attr >> 16] for i in z.infolist()]))`;
  return JSON.parse((await run('python3', ['-c', script, path])).stdout);
}

test('holds the files with their names and bytes', async () => {
  const noise = createHash('shake256', { outputLength: 300_000 }).update('noise').digest();
  const zip = await whole(
    zipFiles(from(entry('remessa.rem', 'a'.repeat(100_000)), entry('b.bin', noise), entry('empty', ''))),
  );
  const files = unzipSync(zip);
  expect(Object.keys(files)).toEqual(['remessa.rem', 'b.bin', 'empty']);
  expect(Buffer.from(files['b.bin'] ?? [])).toEqual(noise);
  expect(Buffer.from(files['remessa.rem'] ?? []).toString()).toBe('a'.repeat(100_000));
  expect(files.empty).toHaveLength(0);
  expect(zip.length).toBeLessThan(310_000);
});

test('of no files is a ZIP too', async () => {
  expect(read(await whole(zipFiles(from())))).toEqual({});
});

describe('names', () => {
  test('are UTF-8', async () => {
    expect(await namesIn(zipFiles(from(entry('procuração nº 1 ✍.pdf'))))).toEqual(['procuração nº 1 ✍.pdf']);
  });

  test('that are taken get a number, whatever their case and the form of their accents', async () => {
    const names = ['a.pdf', 'a.pdf', 'A.PDF', 'a (2).pdf', 'ação', 'ac\u0327a\u0303o', 'a.pdf'];
    const unpacked = await namesIn(zipFiles(from(...names.map((name) => entry(name)))));
    expect(unpacked).toEqual([
      ...['a.pdf', 'a (2).pdf', 'A (3).PDF', 'a (2) (2).pdf', 'ação', 'ação (2)', 'a (4).pdf'],
    ]);
  });

  test('that are taken and long stay within what file systems accept', async () => {
    const name = `${'ã'.repeat(125)}.pdf`;
    const unpacked = await namesIn(zipFiles(from(entry(name), entry(name))));
    expect(new Set(unpacked).size).toBe(2);
    for (const each of unpacked) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(255);
    expect(unpacked[1]).toMatch(/^ã+ \(2\)\.pdf$/);
  });

  test('lead nowhere else when they are unpacked', async () => {
    const names = ['../../etc/passwd', '/root/.ssh/key', 'C:\\Windows\\x.dll', 'a\u0000.pdf', 'con'];
    for (const name of await namesIn(zipFiles(from(...names.map((each) => entry(each))))))
      expect(name).toMatch(/^[^./\\:\p{Cc}][^/\\:\p{Cc}]*$/u);
  });

  test('of a thousand equal files are a thousand', async () => {
    const many = Array.from({ length: 1000 }, () => entry('same.txt', ''));
    expect(new Set(await namesIn(zipFiles(from(...many)))).size).toBe(1000);
  });
});

describe('other programs read it', () => {
  const write = async (name: string, zip: AsyncIterable<Uint8Array>): Promise<string> => {
    const path = join(folder, name);
    await pipeline(zip, createWriteStream(path));
    return path;
  };
  const sample = () => [entry('é.txt', 'one'), entry('b.txt', 'two'.repeat(9)), entry('c', '')];

  // Every size, offset and count in Zip64, as from 4 GB and 65,535 files on.
  const forms = [
    ['plain', undefined],
    ['zip64', 0],
  ] as const;
  test.skipIf(!hasUnzip).each(forms)('unzip: %s', async (name, limit) => {
    const path = await write(`unzip-${name}.zip`, writeZip(sample(), limit));
    const into = join(folder, `unzipped-${name}`);
    expect((await run('unzip', ['-t', path])).stdout).toContain('No errors detected');
    await run('unzip', ['-q', path, '-d', into], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    expect(await readdir(into)).toHaveLength(3);
    expect(await readFile(join(into, 'b.txt'), 'utf8')).toBe('two'.repeat(9));
  });

  test.skipIf(!hasPython).each(forms)('Python: %s', async (name, limit) => {
    const path = await write(`python-${name}.zip`, writeZip(sample(), limit));
    const time = [2026, 3, 4, 15, 16, 18];
    expect(await readByPython(path)).toEqual([
      ['é.txt', 3, time, 0o100644],
      ['b.txt', 27, time, 0o100644],
      ['c', 0, time, 0o100644],
    ]);
  });

  test.skipIf(!hasUnzip)('as it arrives, without its directory', async () => {
    // funzip reads the first file of a ZIP from a pipe.
    const path = join(folder, 'piped.zip');
    await writeFile(path, await whole(writeZip(sample())));
    const { stdout } = await run('sh', ['-c', 'funzip < "$0"', path]);
    expect(stdout).toBe('one');
  });
});

test.skipIf(!hasPython)('a time that ZIP does not know is the nearest that it does', async () => {
  const path = join(folder, 'times.zip');
  const at = [0, Date.UTC(1979, 0), Date.UTC(2200, 0)];
  const entries = at.map((modifiedAtMs, index) => ({ ...entry(`${index}`), modifiedAtMs }));
  await writeFile(path, await whole(writeZip(entries)));
  const years = ((await readByPython(path)) as [string, number, number[]][]).map(([, , [year]]) => year);
  expect(years).toEqual([1980, 1980, 2107]);
});

test('an entry is opened when the one before it has been read', async () => {
  const order: string[] = [];
  async function* lazily() {
    for (const name of ['a', 'b']) {
      order.push(`open ${name}`);
      yield {
        ...entry(name),
        content: Readable.from([Buffer.from(name)]).on('end', () => order.push(`end ${name}`)),
      };
    }
  }
  await whole(zipFiles(lazily()));
  expect(order).toEqual(['open a', 'end a', 'open b', 'end b']);
});

test('a content that fails ends the ZIP with its error', async () => {
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('the store hung up');
  }
  const entries = from({ ...entry('a'), content: broken() });
  await expect(whole(zipFiles(entries))).rejects.toThrow('the store hung up');
});

test('a reader that stops half way closes the content and the list', async () => {
  const content = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024, Math.random().toString()));
    },
  });
  let ended = false;
  async function* entries() {
    try {
      yield { ...entry('a'), content };
    } finally {
      ended = true;
    }
  }
  let chunks = 0;
  for await (const _ of zipFiles(entries())) if (++chunks === 3) break;
  expect(ended).toBe(true);
  await expect.poll(() => content.destroyed).toBe(true);
});

test('400 MB take little more memory than 4', () => {
  const grownMb = (peakBytes('zip', 400) - peakBytes('zip', 4)) / 2 ** 20;
  expect(grownMb).toBeLessThan(64);
});
