import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PRINTS = /\bconsole\.\w+\(|\bprocess\.(stdout|stderr)\b/;

test('whatever a function writes to the log passes the redaction: nothing prints past shared/log', () => {
  const sources = globSync(['shared/**/*.ts', 'functions/**/*.ts']);
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter((path) => PRINTS.test(readFileSync(path, 'utf8')))).toEqual([]);
});
