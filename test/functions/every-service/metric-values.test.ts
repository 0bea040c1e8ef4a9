import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { functionFiles } from '../../../infra/build/function-files.ts';
import { valuesOf } from '../../../shared/metrics/count.ts';
import { METRICS, type MetricName } from '../../../shared/metrics/table.ts';
import { KEYED_SERVICES } from '../../../shared/settings/names.ts';

const NAMES = Object.keys(METRICS) as MetricName[];
// $0.30 a month each, while it is counted.
const MAX_SERIES = 900;

/** Every error code, queue and task, as the functions declare them when they are loaded. */
const loaded = Promise.all(
  functionFiles()
    .filter(({ path }) => /\/workers\//.test(path) || /refuse-unknown-route/.test(path))
    .map(({ path }) => import(pathToFileURL(resolve(path)).href)),
);

test('every value of a dimension is declared, is a short word, and the number of series is bounded', async () => {
  await loaded;
  for (const name of NAMES)
    for (const dimension of Object.keys(METRICS[name].dimensions))
      for (const value of valuesOf(name, dimension)) expect(value).toMatch(/^[A-Za-z][\w.-]{1,60}$/);
  const codes = await Promise.all(
    KEYED_SERVICES.map(async (service) => {
      const { errors } = await import(pathToFileURL(resolve(`functions/${service}/errors.ts`)).href);
      return Object.keys(errors.rows);
    }),
  );
  expect(valuesOf('Refusals', 'Code')).toEqual(expect.arrayContaining(codes.flat()));
  expect(valuesOf('Messages', 'Queue')).toEqual(
    expect.arrayContaining(['uploads', 'tasks', 'mail', 'webhooks', 'webhooks-slow', 'verdicts']),
  );
  // A service has its own codes and queues alone.
  const own = (name: MetricName): number =>
    Object.keys(METRICS[name].dimensions)
      .filter((dimension) => dimension !== 'Service' || !['Refusals', 'Messages', 'Runs'].includes(name))
      .reduce((product, dimension) => product * valuesOf(name, dimension).length, 1);
  expect(NAMES.reduce((sum, name) => sum + own(name), 0)).toBeLessThan(MAX_SERIES);
});

test('the page of operations lists every metric with its unit and its dimensions', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  for (const name of NAMES) {
    const { unit, dimensions, series } = METRICS[name];
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    expect(row, name).toContain(`| ${unit} `);
    expect(row, name).toContain(`| ${Object.keys(dimensions).join(', ')} `);
    expect(row, name).toContain(`\`${series}\``);
  }
});
