import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cleanUp,
  type EngineProcess,
  ownEnvironment,
  startEngineProcess,
} from '../infra/local/engine/engine-process.ts';
import { type Command, commandsIn } from './commands.ts';

const PAGES = ['*.md', 'docs/*.md', 'functions/*/README.md'];

// What starts, deploys, tests or needs another machine. Each has tests of its own, or none is possible here.
const ELSEWHERE =
  /^(npm (ci|start|test)\b|npm run (check|bench|package|build|format|openapi)\b|npx (vitest|serverless|aws)\b|aws |docker |git |export |AWS_ENDPOINT_URL|Local__Dynamo=aws npm start|\.ci\/run|bash \.ci)/;

// Those of a translation are the same: see translations.test.ts.
const all = commandsIn(PAGES).filter(({ page }) => !page.endsWith('.pt-BR.md'));
const here = all.filter(({ text }) => !ELSEWHERE.test(text));

let engine: EngineProcess;
let commandSocket: string;
beforeAll(async () => {
  engine = await startEngineProcess();
  await engine.ready();
  commandSocket = join(engine.dataDir, 'commands.sock');
  const env = { ...ownEnvironment(), Local__DataDir: engine.dataDir };
  const server = fork(join(import.meta.dirname, 'command-server.ts'), [commandSocket], { env, execArgv: [] });
  await once(server, 'message');
  return () => void server.kill();
}, 120_000);
afterAll(cleanUp);

// npm itself takes longer than most commands, and so does each start of ours. Both are real for the first page, and the
// commands of the others that read a secret; the rest have a quicker npm and one process.
const QUICK_NPM = join(import.meta.dirname, 'bin');
const pathOf = (page: string) => (page === 'README.md' ? '' : `${QUICK_NPM}:`) + process.env.PATH;

const run = ({ page, text }: Command) => {
  const local = text
    .replaceAll('http://localhost:3000', engine.url)
    .replaceAll(/\.local\/|\/tmp\//g, `${engine.dataDir}/`);
  const env = {
    ...ownEnvironment(),
    Local__DataDir: engine.dataDir,
    COMMAND_SOCKET: commandSocket,
    PATH: pathOf(page),
  };
  return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `exec </dev/null\n${local}`], { env });
};

// The page shows an example: names and kinds must be the same, values may be of their moment.
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
};

/**
 * Runs a command as a reader does who pastes it, and compares its answer with the one on the page. Gives what it printed: the
 * next command may fail for it.
 */
async function tryOut(command: Command, printedBefore: string): Promise<string> {
  const place = `${command.page}:${command.line}`;
  const { stdout } = await run(command).catch((error) => {
    const before = printedBefore.slice(0, 1000);
    throw new Error(`${place} does not work when pasted. The one before it printed: ${before}`, {
      cause: error,
    });
  });
  const { answer } = command;
  if (answer !== undefined)
    expect(shapeOf(JSON.parse(stdout)), `${place}: ${stdout}`).toEqual(shapeOf(JSON.parse(answer)));
  return stdout;
}

describe('the pages', () => {
  test('hold commands that can be run here', () => {
    expect(here.length).toBeGreaterThan(20);
  });

  // Some pages at once. A page's commands one after the other: later ones use what earlier ones made.
  test.concurrent.each([...new Set(here.map(({ page }) => page))])(
    'every command of %s works when pasted',
    { timeout: 600_000 },
    async (page) => {
      const commands = here.filter((command) => command.page === page);
      // A newcomer who begins again at the top finds that everything works as it did.
      const rounds = page === 'README.md' ? [commands, commands] : [commands];
      let printed = '';
      for (const command of rounds.flat()) printed = await tryOut(command, printed);
    },
  );

  test('have temporary files of their own: no page reads or replaces those of another', () => {
    const pagesByFile = new Map<string, Set<string>>();
    for (const { page, text } of all)
      for (const [file] of text.matchAll(/\/tmp\/[\w.-]+/g))
        pagesByFile.set(file, (pagesByFile.get(file) ?? new Set()).add(page));
    expect([...pagesByFile].filter(([, pages]) => pages.size > 1)).toEqual([]);
  });

  test('return to no port at which nobody listens', () => {
    expect(all.filter(({ text }) => text.includes('localhost:9999')).map(({ page }) => page)).toEqual([]);
  });
});
