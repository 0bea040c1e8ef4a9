import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// The status texts of node:http open no connection, and a `fetch` that stands for the guarded one is that one.
const CONNECTION =
  /from '(undici|node:(https|http2|net|tls|dgram))'|import (?!{ STATUS_CODES })[^;]* from 'node:http'/;
const opensOne = (source: string) =>
  CONNECTION.test(source) || (/\bfetch\s*\(/.test(source) && !source.includes('fetch = guardedFetch'));

it('nothing but the AWS SDK and the guarded connector of shared/net opens a connection', () => {
  const sources = globSync(['functions/**/*.ts', 'shared/**/*.ts']);
  const opening = sources.filter((path) => opensOne(readFileSync(path, 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(opening.filter((path) => !path.startsWith('shared/net/'))).toEqual([]);
});
