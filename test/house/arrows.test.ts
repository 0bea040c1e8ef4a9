import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { circlesOf, type Import, imports } from './imports.ts';

const all = imports();
const within = (folder: RegExp) => all.filter(({ from }) => folder.test(from));
const listed = (found: readonly Import[]) => found.map(({ from, to }) => `${from} -> ${to}`);

const serviceOf = (path: string) => /^functions\/([^/]+)\//.exec(path)?.[1];
const isEngineOfCompact = ({ from, to }: Import) =>
  serviceOf(from) === 'compact' && /^functions\/batch\/(([^/]+\/)*domain\/|errors\.ts$)/.test(to);

// The folders that each root may import from, beside itself.
const BELOW: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  functions: ['shared'],
  agent: ['shared'],
  infra: ['shared', 'functions'],
  cli: ['shared', 'functions', 'infra', 'agent', 'clients'],
  examples: ['shared'],
};
const rootOf = (path: string) => path.split('/')[0] ?? '';

// The rooms of shared/ by floor, the highest first, as docs/architecture.md has them.
const FLOORS = readFileSync('docs/architecture.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| (web|signing|stores|notes|ground) /.test(line))
  .map((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, room = '']) => room));
const roomOf = (path: string) => /^shared\/([^/]+)\//.exec(path)?.[1];
const floorOf = (path: string) => FLOORS.findIndex((rooms) => rooms.includes(roomOf(path) ?? ''));

describe('arrows point down', () => {
  test('the imports of every root are found', () => {
    expect(new Set(all.map(({ from }) => rootOf(from)))).toEqual(new Set(Object.keys(BELOW)));
    expect(all.length).toBeGreaterThan(4_000);
  });

  test.each(Object.entries(BELOW))('%s/ imports from itself and from %j alone', (root, below) => {
    const upwards = within(new RegExp(`^${root}/`)).filter(
      ({ to }) => ![root, ...below].includes(rootOf(to)) && to !== 'package.json',
    );
    expect(listed(upwards)).toEqual([]);
  });

  test('every room of shared/ stands on one floor of docs/architecture.md', () => {
    expect(FLOORS.flat().toSorted()).toEqual(readdirSync('shared').toSorted());
  });

  test('a room of shared/ imports from its own floor and from those below', () => {
    const upwards = within(/^shared\//).filter(
      ({ from, to }) => floorOf(to) >= 0 && floorOf(to) < floorOf(from),
    );
    expect(listed(upwards)).toEqual([]);
  });

  test('no service imports another one; compact alone may import a domain of batch, and its errors', () => {
    const crossing = within(/^functions\//).filter(
      (each) => serviceOf(each.to) !== undefined && serviceOf(each.to) !== serviceOf(each.from),
    );
    expect(listed(crossing.filter((each) => !isEngineOfCompact(each)))).toEqual([]);
  });

  test('a domain knows no endpoint, no worker, no page, no service and no HTTP', () => {
    const upwards = within(/^functions\/.*\/domain\//).filter(
      ({ to }) =>
        /^functions\/.*\/(endpoints|workers|pages|http)\/|\/service\.ts$/.test(to) ||
        to.startsWith('shared/http/'),
    );
    expect(listed(upwards)).toEqual([]);
  });

  test('a contract imports no domain', () => {
    const upwards = within(/^functions\/.*\/contract(\.ts|\/)/).filter(({ to }) => to.includes('/domain/'));
    expect(listed(upwards)).toEqual([]);
  });

  test('an endpoint or worker imports no other endpoint or worker', () => {
    const sideways = within(/^functions\/.*\/(endpoints|workers)\//).filter(({ to }) =>
      /^functions\/.*\/(endpoints|workers)\//.test(to),
    );
    expect(listed(sideways)).toEqual([]);
  });

  test('no circle of files or folders, type imports included', () => {
    expect(circlesOf(all)).toEqual([]);
  });
});

test.each([
  [
    'files',
    [
      { from: 'a/x.ts', to: 'a/y.ts' },
      { from: 'a/y.ts', to: 'a/x.ts' },
    ],
  ],
  [
    'folders',
    [
      { from: 'a/b/x.ts', to: 'a/c/y.ts' },
      { from: 'a/c/z.ts', to: 'a/b/w.ts' },
    ],
  ],
  [
    'three',
    [
      { from: 'a/x.ts', to: 'a/y.ts' },
      { from: 'a/y.ts', to: 'a/z.ts' },
      { from: 'a/z.ts', to: 'a/x.ts' },
    ],
  ],
])('a circle of %s is found', (_, circle) => {
  expect(circlesOf([{ from: 'a/v.ts', to: 'a/u.ts' }, ...circle])).toHaveLength(1);
});
