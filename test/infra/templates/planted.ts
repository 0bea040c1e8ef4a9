import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { manuals } from '../../../infra/settings.ts';
import { SERVICES } from '../../../shared/settings/names.ts';

const MARK = 'planted-in-the-shell';

/** Sets every variable of a secret in this process and its children, as a careless shell has them. Answers the way back. */
export async function plantSecrets(): Promise<() => void> {
  const variables = (await manuals()).flatMap(({ owner, table }) =>
    Object.entries(table)
      .filter(([, { secret }]) => secret)
      .flatMap(([name]) => [name.replaceAll(':', '__'), `${owner}__${name.replaceAll(':', '__')}`]),
  );
  expect(variables.length).toBeGreaterThan(10);
  const before = variables.map((name) => [name, process.env[name]] as const);
  for (const [n, name] of variables.entries()) process.env[name] = `${MARK}-${n}`;
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Tests that the packages of all services, made after `plantSecrets`, have none of the values. */
export function plantedRules(rootOf: () => string): void {
  test('no template and no state of the framework has a secret of the shell that packaged it', () => {
    const files = globSync('dist/packages/**/*.json', { cwd: rootOf() });
    expect(files.length).toBeGreaterThanOrEqual(21);
    const having = files.filter((file) => readFileSync(join(rootOf(), file)).includes(MARK));
    expect(having).toEqual([]);
  });

  // All artifacts of a service are made of the files of its folder; one of each is opened.
  test('no bundle and no artifact has one either', () => {
    const bundles = globSync('dist/*/*.mjs', { cwd: rootOf() });
    expect(bundles.length).toBeGreaterThan(200);
    expect(bundles.filter((file) => readFileSync(join(rootOf(), file)).includes(MARK))).toEqual([]);
    for (const service of SERVICES) {
      const [zip = ''] = globSync(`dist/${service}.*.zip`, { cwd: rootOf() });
      const having = Object.entries(unzipSync(readFileSync(join(rootOf(), zip)))).filter(([, bytes]) =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(MARK),
      );
      expect(having.map(([name]) => `${zip}: ${name}`)).toEqual([]);
    }
  });
}
