import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { didYouMean } from '../shared/command-line/nearest.ts';
import { CONSOLE, type Output } from '../shared/command-line/output.ts';
import { HELP, parseCommandLine } from '../shared/command-line/parse.ts';
import { eventFile, type FunctionFile, functionFiles } from './build/function-files.ts';
import { readEngine } from './local/engine/engine-file.ts';
import { LOCAL_SETTINGS } from './local/seed/local-settings.ts';
import { seedSandbox } from './local/seed/seed.ts';
import { useStores } from './local/stores/endpoints.ts';
import { startOwnStores } from './local/stores/own.ts';
import { newRing } from './local/stores/ring-file.ts';
import { toLambdaEvent } from './runtime/events/sample-event.ts';
import { createDeclared } from './runtime/resources/create.ts';
import { readDeclared } from './runtime/resources/read.ts';

const USAGE = `Runs one function by hand and prints its answer.

  npm run invoke -- SERVICE/FUNCTION [EVENT.json] [--data DIR]
  npm run invoke -- session/get-status

Without an event file, the sample of the function in events/SERVICE is sent. An event file is such a sample, or an event as
AWS sends it. The function uses the stores of the engine that
runs on DIR (.local); where none runs, stores in memory with the sandbox in them.
`;

type Handler = (event: unknown, context: Context) => Promise<unknown>;

// The longest that Lambda lets a function run.
const TIME_MS = 900_000;

/** A function's handler, by its name. @example const handler = await handlerOf('session/get-status') */
export async function handlerOf(name: string): Promise<Handler> {
  const module: { handler: Handler } = await import(pathToFileURL(findFunction(name).path).href);
  return module.handler;
}

// Read once: a test asks for every function, and reading the tree takes longer than most of their answers.
let filesByName: ReadonlyMap<string, FunctionFile> | undefined;

function findFunction(name: string): FunctionFile {
  filesByName ??= new Map(functionFiles().map((each) => [nameOf(each), each]));
  const file = filesByName.get(name);
  if (!file) {
    const hint = didYouMean(name, functionFiles().map(nameOf));
    throw new Error(`There is no function "${name}".${hint} There are: ${namesLike(name).join(', ')}.`);
  }
  return file;
}

/** The functions of the same service; where there is no such service, the services. */
function namesLike(name: string): string[] {
  const [service] = name.split('/');
  const files = functionFiles();
  const near = files.filter((each) => each.service === service).map(nameOf);
  return near.length > 0 ? near : [...new Set(files.map((each) => `${each.service}/…`))];
}

const nameOf = ({ service, name }: FunctionFile): string => `${service}/${name}`;

/** The path of a function's sample: see runtime/events/sample-event.ts. @example sampleEventPath('session/get-status') */
export const sampleEventPath = (name: string): string => eventFile(findFunction(name));

function readEvent(path: string): unknown {
  if (!existsSync(path)) throw new Error(`There is no event file ${path}.`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
}

async function startStores(): Promise<() => Promise<void>> {
  const { env, stop } = await startOwnStores();
  Object.assign(process.env, env, { Sealing__Keys: newRing() });
  await createDeclared(readDeclared(process.cwd(), 'local'));
  await seedSandbox();
  return stop;
}

/** `npm run invoke`, and its exit code. @example await runInvoke(['session/get-status']) */
export async function runInvoke(argv: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    await invoke(argv, output);
    return 0;
  } catch (error) {
    output.printError((error as Error).message);
    return 1;
  }
}

async function invoke(argv: readonly string[], output: Output): Promise<void> {
  const data = { type: 'string', default: process.env.Local__DataDir ?? '.local' } as const;
  const options = { data, ...HELP };
  const { values, positionals } = parseCommandLine(
    { args: [...argv], options, allowPositionals: true },
    'npm run invoke -- --help',
  );
  const [name, path] = positionals;
  if (!name || values.help) return output.print(USAGE);
  const handler = await handlerOf(name);
  const event = toLambdaEvent(readEvent(path ?? sampleEventPath(name)));

  Object.assign(process.env, {
    STAGE: 'local',
    ...LOCAL_SETTINGS,
    Log__Level: process.env.Log__Level ?? 'WARN',
  });
  const engine = readEngine(values.data);
  if (engine) useStores(engine.env);
  const stop = engine ? async () => {} : await startStores();
  try {
    const context = { awsRequestId: 'by-hand', getRemainingTimeInMillis: () => TIME_MS } as Context;
    output.print(JSON.stringify((await handler(event, context)) ?? null, null, 2));
  } finally {
    await stop();
  }
}

if (import.meta.main) process.exit(await runInvoke(process.argv.slice(2)));
