import { describe, expect, test } from 'vitest';
import { type Import, imports } from './imports.ts';

const all = imports();
const within = (folder: RegExp) => all.filter(({ from }) => folder.test(from));
const shown = (found: readonly Import[]) => found.map(({ from, to }) => `${from} -> ${to}`);

const serviceOf = (path: string) => /^functions\/([^/]+)\//.exec(path)?.[1];
const isEngineOfCompact = ({ from, to }: Import) =>
  serviceOf(from) === 'compact' && to.startsWith('functions/batch/domain/');

describe('arrows point down', () => {
  test('sees the imports it judges', () => {
    expect(all.length).toBeGreaterThan(200);
  });

  test('nothing in shared/ imports from functions/, infra/ or test/', () => {
    expect(shown(within(/^shared\//).filter(({ to }) => !to.startsWith('shared/')))).toEqual([]);
  });

  test('no service imports another one; compact alone may import batch/domain', () => {
    const crossing = within(/^functions\//).filter(
      (each) => serviceOf(each.to) !== undefined && serviceOf(each.to) !== serviceOf(each.from),
    );
    expect(shown(crossing.filter((each) => !isEngineOfCompact(each)))).toEqual([]);
  });

  test('functions import nothing from infra/ or test/', () => {
    expect(shown(within(/^functions\//).filter(({ to }) => /^(infra|test)\//.test(to)))).toEqual([]);
  });

  test('a domain knows no endpoint, no worker, no service and no HTTP beyond the error table', () => {
    const upwards = within(/\/domain\//).filter(
      ({ to }) =>
        /\/(endpoints|workers)\/|\/service\.ts$/.test(to) ||
        (to.startsWith('shared/http/') && to !== 'shared/errors/errors.ts'),
    );
    expect(shown(upwards)).toEqual([]);
  });

  test('an endpoint or worker imports no other endpoint or worker', () => {
    const sideways = within(/\/(endpoints|workers)\//).filter(({ to }) => /\/(endpoints|workers)\//.test(to));
    expect(shown(sideways)).toEqual([]);
  });
});
