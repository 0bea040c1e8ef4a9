import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = [
  'functions/**/pages/**/*.ts',
  'functions/**/sections/**/*.ts',
  'agent/holder/*.ts',
  'shared/ui/**/*.ts',
];
const OWN_FORMAT =
  /Intl\.DateTimeFormat|\.toLocale(?:Date|Time)?String\(\s*[^,)]*,?\s*\{[^}]*(?:hour|day|dateStyle|timeStyle)/;

test('pages show times by one function, which names the zone', () => {
  const files = PAGES.flatMap((pattern) => globSync(pattern));
  expect(files.length).toBeGreaterThan(150);
  const own = files.filter((file) => OWN_FORMAT.test(readFileSync(file, 'utf8')));
  expect(own).toEqual(['shared/ui/time.ts']);
});
