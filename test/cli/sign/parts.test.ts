import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { checkOutput } from '../../../cli/arguments/output-file.ts';
import { readOptions } from '../../../cli/sign/options.ts';
import { readPin } from '../../../cli/terminal/pin.ts';
import { countBytes, showProgress } from '../../../cli/terminal/progress.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-sign-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A terminal at which these keys are pressed; `raw` tells whether it echoes them. */
function terminal(...keys: string[]) {
  const raw: boolean[] = [];
  const keyboard = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => raw.push(on),
  });
  for (const key of keys) keyboard.write(key);
  let shown = '';
  const screen = {
    write: (text: string) => {
      shown += text;
    },
  };
  return { keyboard, screen, raw, shown: () => shown };
}

function pipe(text: string) {
  const keyboard = new PassThrough();
  keyboard.end(text);
  return { keyboard, screen: { write: () => {} } };
}

describe('the PIN', () => {
  test("is a file's first line, whatever ends it", async () => {
    expect(await readPin({ file: file('unix', '1234\nnot this\n') }, '')).toBe('1234');
    expect(await readPin({ file: file('windows', ' sênha \r\n') }, '')).toBe(' sênha ');
    expect(await readPin({ file: file('empty', '') }, '')).toBe('');
  });

  test('is what an environment variable holds', async () => {
    vi.stubEnv('THE_PIN', '4321');
    expect(await readPin({ variable: 'THE_PIN' }, '')).toBe('4321');
    await expect(readPin({ variable: 'NO_PIN' }, '')).rejects.toThrow('no variable NO_PIN');
  });

  test('is typed at a terminal that shows nothing of it, mistakes taken back', async () => {
    const at = terminal('12', '5', '\u007f', '34', '\r');
    expect(await readPin({}, 'holder.p12', at)).toBe('1234');
    expect(at.shown()).toBe('PIN of holder.p12: \n');
    expect(at.raw).toEqual([true, false]);
  });

  test('is not waited for after Control-C, and the terminal is given back', async () => {
    const at = terminal('12', '\u0003');
    await expect(readPin({}, 'holder.p12', at)).rejects.toThrow('nothing was done');
    expect(at.raw).toEqual([true, false]);
  });

  test('is the first line of a pipe, and an empty pipe is an error that says what to do', async () => {
    expect(await readPin({}, '', pipe('1234\n'))).toBe('1234');
    expect(await readPin({}, '', pipe('1234'))).toBe('1234');
    await expect(readPin({}, '', pipe(''))).rejects.toThrow('--pin-file FILE or --pin-env NAME');
  });
});

describe('the progress bar', () => {
  const screen = (isTTY: boolean) => {
    const drawn: string[] = [];
    return { isTTY, drawn, write: (text: string) => drawn.push(text) };
  };
  const MEGABYTES = 1024 * 1024;

  test('is drawn on a terminal for a large file, ten times a second, and taken away at the end', () => {
    const on = screen(true);
    let nowMs = 0;
    const bar = showProgress({
      label: 'Signing',
      totalBytes: 100 * MEGABYTES,
      screen: on,
      nowMs: () => nowMs,
    });
    for (let done = 0; done < 100; done++) {
      bar.add(MEGABYTES);
      nowMs += 10;
    }
    bar.end();
    expect(on.drawn).toHaveLength(11);
    expect(on.drawn[5]).toContain('Signing [###############...............] 51%');
    expect(on.drawn.at(-1)).toBe('\r\u001b[K');
  });

  test.each([
    ['a stream that is no terminal', false, 100 * MEGABYTES],
    ['a small file', true, MEGABYTES],
  ])('is not drawn for %s', async (_, isTTY, totalBytes) => {
    const on = screen(isTTY);
    const bar = showProgress({ label: 'Signing', totalBytes, screen: on });
    const chunks = [];
    for await (const chunk of countBytes(PassThrough.from([Buffer.alloc(5)]), bar)) chunks.push(chunk);
    bar.end();
    expect([on.drawn, chunks.length]).toEqual([[], 1]);
  });
});

describe('the signed file', () => {
  test('is never the original, and replaces nothing unless told to', () => {
    const there = file('there.pdf', '');
    expect(() => checkOutput(there, { input: there, force: true })).toThrow('is the original');
    expect(() => checkOutput(there, { input: 'x', force: false })).toThrow('add --force');
    checkOutput(there, { input: 'x', force: true });
  });
});

describe('the command line', () => {
  const read = (...words: string[]) => readOptions(['a.pdf', '--p12', 'h.p12', ...words]);

  test('asks for B-T where an authority is named, and else for B-B', () => {
    expect(read()?.level).toBe('B-B');
    expect(read('--timestamp', 'http://tsa.example/')?.level).toBe('B-T');
    expect(read('--timestamp', 'http://tsa.example/', '--level', 'b-lta')?.level).toBe('B-LTA');
  });

  test('is help when it is empty or asks for it', () => {
    for (const words of [[], ['--help'], ['a.pdf', '-h']]) expect(readOptions(words)).toBeUndefined();
  });

  test.each([
    ['a level that needs an authority', ['--level', 'B-LT'], /Name an authority: --timestamp URL/],
    ['an authority that a level does not use', ['--level', 'B-B', '--timestamp', 'http://a'], /no timestamp/],
    ['an unknown level', ['--level', 'B-X'], /--level takes B-B, B-T, B-LT, B-LTA/],
    ['an unknown format', ['--format', 'pgp'], /--format takes pades, cades, xades, not "pgp"/],
    ['an address that is none', ['--timestamp', 'tsa'], /http or https address, not "tsa"/],
    ['a place that is none', ['--visible', '1,2,3'], /page,x,y,width,height/],
    ['a place of no size', ['--visible', '1,10,10,0,20'], /page,x,y,width,height/],
    ['a second file', ['b.pdf'], /One file is signed at a time/],
    [
      'a PIN in the open',
      ['--pin', '1234'],
      /^A PIN cannot be an argument: (?!.*1234).*--pin-file FILE or --pin-env NAME/,
    ],
    ['a password in the open', ['--password=1234'], /^A PIN cannot be an argument: (?!.*1234)/],
    [
      'an unknown option',
      ['--visable'],
      /^Unknown option '--visable'\. Did you mean --visible\? See: npm run sign -- --help$/,
    ],
    [
      'an option without its value',
      ['--out', '--force'],
      /^Option '--out' argument is ambiguous\. See: [^.]*$/,
    ],
    ['a name that is empty', ['--out', ''], /--out takes the name of a file/],
    ['an address of no policy', ['--policy-uri', 'http://a'], /Name that file too/],
    ['content where nothing is added to', ['--content', 'b'], /goes with --cosign/],
  ])('refuses %s', (_, words, complaint) => {
    expect(() => read(...words)).toThrow(complaint);
  });

  test('says what is missing', () => {
    expect(() => readOptions(['a.pdf'])).toThrow('--p12 FILE.p12');
    expect(() => readOptions(['--p12', 'h.p12'])).toThrow('Name the file to sign');
  });

  test('reads a place in points', () => {
    expect(read('--visible', '2, 50,60.5,200,70')?.visible).toEqual({
      page: 2,
      x: 50,
      y: 60.5,
      width: 200,
      height: 70,
    });
  });
});
