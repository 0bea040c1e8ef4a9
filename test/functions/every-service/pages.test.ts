import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { displayDefault, manuals } from '../../../infra/settings.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import type { StateMachine } from '../../../shared/store/state-machine.ts';

const FOLDERS = [...SERVICES, 'sandbox'] as const;
const HEADINGS = ['## Begin', '## States', '## Errors'];

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

type Machine = StateMachine<string, string>;

/** The tables of states on a page, as rows of state, event and next state. */
const tablesOn = (page: string): string[][] =>
  [...page.matchAll(/^\| State +\| Event +\| Next +\|.*\n((?:\|.*\n)+)/gm)].map(([, table = '']) =>
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
  const modules: Record<string, Machine>[] = await Promise.all(
    paths.map((path) => import(pathToFileURL(path).href)),
  );
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

  test('draws every state machine of the service, as the code has it', async () => {
    const shared = service === 'documents' ? await machinesIn('shared/webhooks') : [];
    const machines = [...(await machinesIn(`functions/${service}`)), ...shared];
    const declared = machines.map((machine) => rowsOf(machine).toSorted());
    const byText = (one: string[], other: string[]) => (String(one) < String(other) ? -1 : 1);
    expect(tablesOn(pageOf(service)).toSorted(byText)).toEqual(declared.toSorted(byText));
  });
});

test('docs/settings.md lists every setting of every service with its default and its reason', async () => {
  const page = readFileSync('docs/settings.md', 'utf8');
  const [common, ...services] = await manuals();
  const sections = [
    { title: '## Common settings', table: common?.table ?? {} },
    ...services.map(({ owner, table }) => ({ title: `### ${owner}`, table })),
  ];
  for (const { title, table } of sections.filter((each) => Object.keys(each.table).length > 0)) {
    const [, section = ''] = new RegExp(`^${title}$(.*?)^##`, 'ms').exec(page) ?? [];
    const declared = Object.entries(table).map(([name, setting]) => [
      name,
      [displayDefault(setting), setting.why],
    ]);
    expect([title, [...rows(section)]]).toEqual([title, declared]);
  }
});

test('docs/guards.md names a test for every guard', () => {
  const guards = readFileSync('docs/guards.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(guards.length).toBeGreaterThan(100);
  expect(guards.filter((line) => !/\]\(\.\.\/test\/[^)]+\)/.test(line))).toEqual([]);
});
