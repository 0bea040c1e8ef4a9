import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const EXPRESSION =
  /\b(?:Update|Condition|KeyCondition|Filter|Projection)Expression\b|\bExpressionAttribute(?:Names|Values)\b|\bplaceholders\(/;
const using = (files: readonly string[]) =>
  files.filter((file) => EXPRESSION.test(readFileSync(file, 'utf8')));

test("no service writes an expression of DynamoDB: it uses the store's verbs, and conditions as data", () => {
  const files = globSync('functions/**/*.ts');
  expect(files.length).toBeGreaterThan(1_000);
  expect(using(files)).toEqual([]);
});

test('an expression is seen where there is one', () => {
  expect(using(globSync('shared/store/*.ts'))).toContain('shared/store/keyed-items.ts');
});
