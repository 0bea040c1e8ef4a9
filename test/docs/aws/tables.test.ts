import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PARAMETERS, parameterProblems } from '../../../infra/stack/parameters.ts';
import { documentedRows, OPERATIONS } from './tables.ts';

// Their numbers are compared where they are counted: test/functions/**/{calls,idle}.test.ts.
test('docs/aws.md has a row for every operation that is counted, and an idle minute', () => {
  expect(documentedRows('operations').map(([operation]) => operation)).toEqual(OPERATIONS);
  expect(documentedRows('idle')).toHaveLength(1);
});

test('docs/aws.md has a row for every parameter of a deployment', () => {
  const [, after = ''] = readFileSync('docs/aws.md', 'utf8').split('| Parameter ');
  const [table = ''] = after.split('\n\n');
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(Object.keys(PARAMETERS));
});

test.each([
  [{ backupDay: '35' }, 'There is no parameter backupDay. Did you mean backupDays? See docs/aws.md.'],
  [{ kmsKey: 'alias/own' }, 'Parameter kmsKey must be the ARN of a KMS key'],
  [{ subnets: 'subnet-1' }, 'Parameters subnets and securityGroups belong together'],
  [{ canary: 'AllAtOnce' }, 'Parameter canary must be a way of CodeDeploy'],
])('a deployment with %j is refused', (given, problem) => {
  expect(parameterProblems(given)).toEqual([expect.stringContaining(problem)]);
});
