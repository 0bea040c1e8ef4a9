import { expect, test } from 'vitest';
import { documentedRows, OPERATIONS } from './tables.ts';

// Their numbers are compared where they are counted: test/functions/**/calls.test.ts and idle.test.ts.
test('docs/aws.md has a row for every operation that is counted, and an idle minute', () => {
  expect(documentedRows('operations').map(([operation]) => operation)).toEqual(OPERATIONS);
  expect(documentedRows('idle')).toHaveLength(1);
});
