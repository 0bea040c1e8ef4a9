import { randomUUID } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const KEPT = 'node_modules/.cache/sinete/parsed/*.json';

let text: string;
let parses: number;

beforeEach(() => {
  text = `id: ${randomUUID()}`;
  parses = 0;
});

afterEach(() => {
  for (const path of keptPaths()) rmSync(path);
});

/** What another process reads. */
async function parsedElsewhere(): Promise<unknown> {
  vi.resetModules();
  const { parseOnce } = await import('../../infra/parsed.ts');
  return parseOnce(text, () => {
    parses += 1;
    return { text };
  });
}

const keptPaths = (): string[] =>
  globSync(KEPT).filter((path) => readFileSync(path, 'utf8') === JSON.stringify({ text }));

describe('a text that was parsed', () => {
  test('is not parsed again by another process', async () => {
    expect([await parsedElsewhere(), await parsedElsewhere()]).toEqual([{ text }, { text }]);
    expect(parses).toBe(1);
  });

  test('is parsed again once it has changed', async () => {
    await parsedElsewhere();
    text += ' # a comment';
    expect(await parsedElsewhere()).toEqual({ text });
    expect(parses).toBe(2);
  });

  test('is parsed again where what was kept is cut off', async () => {
    await parsedElsewhere();
    for (const path of keptPaths()) writeFileSync(path, '{"text":');
    expect(await parsedElsewhere()).toEqual({ text });
    expect(parses).toBe(2);
  });

  test('that cannot be parsed is refused each time', async () => {
    const { parseOnce } = await import('../../infra/parsed.ts');
    const parse = (): unknown => {
      throw new Error('not YAML');
    };
    expect(() => parseOnce(text, parse)).toThrow('not YAML');
    expect(() => parseOnce(text, parse)).toThrow('not YAML');
  });
});
