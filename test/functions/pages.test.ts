import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpointFiles } from '../../infra/function-files.ts';
import { handlerOf } from '../../infra/invoke.ts';
import { displayDefault, manuals } from '../../infra/settings.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import type { StateMachine } from '../../shared/store/state-machine.ts';

const FOLDERS = [...SERVICES, 'sandbox'] as const;
const HEADINGS = ['## Routes', '## Settings', '## States', '## Errors', '## How it is built'];

const pageOf = (service: string) => readFileSync(`functions/${service}/README.md`, 'utf8');

/** The rows of a page's tables whose first cell is written as code, by that cell. */
function rows(page: string): Map<string, string[]> {
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  return new Map(cells.map(([first = '', ...rest]) => [first.replaceAll('`', ''), rest]));
}

async function routesOf(service: string): Promise<string[]> {
  const files = endpointFiles().filter((file) => file.service === service);
  const endpoints = await Promise.all(
    files.map(async ({ name }) => (await handlerOf(`${service}/${name}`)) as unknown as Endpoint),
  );
  const documented = endpoints.flatMap(({ declaration }) =>
    declaration.undocumented ? [] : [declaration.route as string],
  );
  return service === 'sandbox' ? documented : [...documented, 'GET /scalar/v1'];
}

type Machine = StateMachine<string, string>;

/** The tables of states on a page, as rows of state, event and next state. */
const tablesOn = (page: string): string[][] =>
  [...page.matchAll(/^\| State +\| Event +\| Next +\|\n((?:\|.*\n)+)/gm)].map(([, table = '']) =>
    table
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .flatMap(([, state, event, next]) => (event ? [`${state} ${event} ${next}`] : []))
      .toSorted(),
  );

/** Every state machine that the files of a folder export. */
async function machinesIn(folder: string): Promise<Machine[]> {
  const paths = globSync(`${folder}/**/*.ts`).filter((path) =>
    /^export const \w+ = stateMachine\(/m.test(readFileSync(path, 'utf8')),
  );
  const modules: Record<string, Machine>[] = await Promise.all(paths.map((path) => import(`../../${path}`)));
  return modules.flatMap((module) =>
    Object.values(module).filter((value) => typeof value === 'object' && typeof value.next === 'function'),
  );
}

const rowsOf = ({ states, events, next }: Machine): string[] =>
  states.flatMap((state) =>
    events.flatMap((event) => {
      const to = next(state, event);
      return to === undefined ? [] : [`${state} ${event} ${to}`];
    }),
  );

describe.each(FOLDERS)('the page of %s', (service) => {
  test('has the headings that every page has, in their order', () => {
    expect(pageOf(service).match(/^## .*$/gm)).toEqual(HEADINGS);
  });

  test('lists the routes that are answered, and no others', async () => {
    const listed = [...rows(pageOf(service)).keys()].filter((cell) => /^[A-Z]+ \//.test(cell));
    expect(listed.toSorted()).toEqual((await routesOf(service)).toSorted());
  });

  test('draws every state machine of the service, as the code has it', async () => {
    const shared = service === 'documents' ? await machinesIn('shared/webhooks') : [];
    const machines = [...(await machinesIn(`functions/${service}`)), ...shared];
    const declared = machines.map((machine) => rowsOf(machine).toSorted());
    const byText = (one: string[], other: string[]) => (String(one) < String(other) ? -1 : 1);
    expect(tablesOn(pageOf(service)).toSorted(byText)).toEqual(declared.toSorted(byText));
  });

  test('lists every setting with its default and its reason', async () => {
    const manual = (await manuals()).find(({ owner }) => owner === service);
    const [, section = ''] = /^## Settings$(.*?)^## /ms.exec(pageOf(service)) ?? [];
    const declared = Object.entries(manual?.table ?? {}).map(([name, setting]) => [
      name,
      [displayDefault(setting), setting.why],
    ]);
    expect([...rows(section)]).toEqual(declared);
  });
});

test('docs/settings.md lists every setting of all services with its default and its reason', async () => {
  const listed = rows(readFileSync('docs/settings.md', 'utf8'));
  for (const [name, setting] of Object.entries((await manuals())[0]?.table ?? {})) {
    expect([name, listed.get(name)]).toEqual([name, [displayDefault(setting), setting.why]]);
  }
});

test('SECURITY.md names a test for every guard', () => {
  const guards = readFileSync('SECURITY.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Guard|-)/.test(line));
  expect(guards.length).toBeGreaterThan(20);
  expect(guards.filter((line) => !/\]\(test\/[^)]+\)/.test(line))).toEqual([]);
});
