import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { batch } from '../../functions/batch/service.ts';
import { compact } from '../../functions/compact/service.ts';
import { credentials } from '../../functions/credentials/service.ts';
import { documents } from '../../functions/documents/service.ts';
import { hub } from '../../functions/hub/service.ts';
import { pki } from '../../functions/pki/service.ts';
import { session } from '../../functions/session/service.ts';
import { ENGINES } from '../../infra/install/engines/installed.mjs';
import { INSTITUTES, UNIVERSITIES } from '../../infra/local/seed/credentials.ts';
import { sandboxOrganizations } from '../../infra/local/seed/seed.ts';
import { requiredVariablesOf } from '../../infra/settings.ts';
import { Problem, type Situation } from '../../shared/errors/errors.ts';
import type { Service } from '../../shared/http/endpoint.ts';
import { refusalOf } from '../../shared/http/refusal-of.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { differencesTable } from '../stores/engines/table.ts';

/** The cells of the table under a heading row, by their first cell without its code marks. */
function tableOf(page: string, heading: RegExp): Map<string, string[]> {
  const lines = readFileSync(`docs/${page}`, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith('|') && heading.test(line));
  if (at < 0) throw new Error(`docs/${page} has no table ${heading}.`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  const rows = lines.slice(at + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  return new Map(rows.map(([name = '', ...cells]) => [name.replaceAll('`', ''), cells]));
}

describe('docs/errors.md', () => {
  const services = { session, hub, pki, batch, compact, documents, credentials } as unknown as Record<
    string,
    Service
  >;
  const statusOf = (service: Service, situation: Situation): number | null =>
    refusalOf(service, new Problem(situation)).status;

  test('lists the statuses of every service where services differ', () => {
    const differing: readonly Situation[] = ['invalid', 'forbidden', 'tooSlow', 'unsupportedMedia'];
    const truth = Object.entries(services).map(([name, service]): [string, string[]] => [
      name,
      differing.map((situation) => String(statusOf(service, situation))),
    ]);
    expect([...tableOf('errors.md', /^\| Service/)]).toEqual(truth);
    expect(truth.map(([name]) => name)).toEqual(SERVICES);
  });

  test('lists the statuses that all services share', () => {
    const shared = Object.keys(session.situations) as Situation[];
    const differing = new Set(['invalid', 'forbidden', 'tooSlow', 'unsupportedMedia']);
    const documented = [...tableOf('errors.md', /^\| Status/).keys()].map(Number);
    for (const service of Object.values(services))
      for (const situation of shared.filter((each) => !differing.has(each)))
        expect(documented).toContain(statusOf(service, situation));
  });
});

describe('docs/aws.md', () => {
  test('lists the settings that a deployment of each service must have', async () => {
    const listed = tableOf('aws.md', /What must be set/);
    expect([...listed.keys()].toSorted()).toEqual([...SERVICES].toSorted());
    for (const service of SERVICES) {
      const names = [...(listed.get(service)?.[0] ?? '').matchAll(/`(\w+__\w+)`/g)].map(([, name]) => name);
      // Of the PKI core's security contexts one is enough: a rule asks for it, and not a single setting.
      const contexts = service === 'pki' ? ['SecurityContexts__PkiBrazil'] : [];
      const required = [...(await requiredVariablesOf(service)), ...contexts];
      expect({ service, names: names.toSorted() }).toEqual({ service, names: required.toSorted() });
    }
  });
});

describe('docs/sandbox.md', () => {
  test('lists every organization that a start seeds, and every institute', () => {
    const listed = [...tableOf('sandbox.md', /^\| Id/)].map(([id, [name = '']]) => [
      id,
      name.replaceAll('`', ''),
    ]);
    const seeded = [...sandboxOrganizations(), ...UNIVERSITIES].map(({ id, name }) => [id, name]);
    expect(listed.toSorted()).toEqual(seeded.toSorted());
    const page = readFileSync('docs/sandbox.md', 'utf8').replaceAll('\n', ' ');
    for (const { id, name } of INSTITUTES) expect(page).toContain(`\`${name}\` (${id})`);
  });
});

describe('docs/localstack.md', () => {
  const page = readFileSync('docs/localstack.md', 'utf8');

  test('names every engine that tests run against, in its version', () => {
    const listed = [...tableOf('localstack.md', /^\| Engine +\| Serves +\| From/).keys()];
    expect(listed).toEqual(Object.entries(ENGINES).map(([name, { version }]) => `${name} ${version}`));
  });

  test('lists what they answer otherwise than AWS', () => {
    expect(page).toContain(differencesTable());
  });
});
