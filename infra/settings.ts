import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../shared/command-line/nearest.ts';
import { CONSOLE, type Output } from '../shared/command-line/output.ts';
import { HELP, parseCommandLine } from '../shared/command-line/parse.ts';
import { CommandRefusal, reasonOf } from '../shared/command-line/reason.ts';
import { commonSettings } from '../shared/settings/common.ts';
import type { Setting } from '../shared/settings/kinds.ts';
import { MANUAL, type Manual, type Settings } from '../shared/settings/settings.ts';
import { engineOf, isOfSurface } from './stack/engine-of.ts';

/** The common settings and those of every service, from their `settings.ts` files. */
export async function manuals(): Promise<Manual[]> {
  const files = globSync('functions/*/settings.ts').toSorted();
  const modules = await Promise.all(
    files.map((file): Promise<{ settings: Settings }> => import(pathToFileURL(file).href)),
  );
  return [commonSettings[MANUAL], ...modules.map(({ settings }) => settings[MANUAL])];
}

/** The settings that the functions of a service read: its own, the common ones, and those of the domain it works with. */
export async function manualsOf(service: string): Promise<Manual[]> {
  return (await manuals()).flatMap((manual) => {
    if (manual.owner === 'common' || manual.owner === service) return [manual];
    return manual.owner === engineOf(service) ? [withoutSurface(manual)] : [];
  });
}

/** The variables that a deployment of a service must set. @example ['Sealing__Keys', 'Certificates__TrustAnchors'] */
export const requiredVariablesOf = async (service: string): Promise<string[]> =>
  (await manualsOf(service)).flatMap(({ table }) =>
    Object.entries(table)
      .filter(([, { requiredWhenDeployed }]) => requiredWhenDeployed !== undefined)
      .map(([name]) => name.replaceAll(':', '__')),
  );

const withoutSurface = ({ table, ...manual }: Manual): Manual => ({
  ...manual,
  table: Object.fromEntries(Object.entries(table).filter(([name]) => !isOfSurface(name))),
});

/** Throws one clear line that names the first setting that does not hold. */
export async function checkAllSettings(): Promise<void> {
  for (const { check } of await manuals()) check();
}

/** Every environment variable that sets something, for all services or for one. */
export const variablesOf = (settings: readonly Manual[]): Set<string> =>
  new Set(
    settings.flatMap(({ owner, table }) =>
      Object.keys(table).flatMap((name) => {
        const variable = name.replaceAll(':', '__');
        return [variable, `${owner}__${variable}`];
      }),
    ),
  );

// The form of a setting, whatever its first letters. Variables in capitals, and npm's own, belong to other programs.
const LOOKS_LIKE_SETTING = /^(?!npm_)(?=.*[a-z])[A-Za-z][A-Za-z0-9]*(__[A-Za-z0-9]+)+$/;
// The engine sets the first for its own commands, and reads the second (docs/local-engine.md).
const OF_THE_ENGINE = ['Local__DataDir', 'Local__Dynamo'];

/** A line for each variable that looks like a setting and is none: nobody reads it. */
export async function unknownSettings(env: NodeJS.ProcessEnv): Promise<string[]> {
  const known = variablesOf(await manuals());
  return Object.keys(env)
    .filter((name) => LOOKS_LIKE_SETTING.test(name) && !OF_THE_ENGINE.includes(name) && !known.has(name))
    .map(
      (name) =>
        `${name} is no setting, and changes nothing.${didYouMean(name, known)} npm run settings lists them.`,
    );
}

/** A setting's default as a page or a list shows it. */
export const displayDefault = ({ default: value, secret, unit }: Setting<unknown>): string => {
  if (value === undefined) return 'unset';
  if (secret) return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : 'secret';
  return unit === 'seconds' ? `${value} s` : String(value);
};

function describe({ owner, table }: Manual): string[] {
  if (Object.keys(table).length === 0) return [];
  const rows = Object.entries(table).flatMap(([name, setting]) => [
    `  ${name} = ${displayDefault(setting)}  (${setting.unit}; ${name.replaceAll(':', '__')})`,
    `      ${setting.why}`,
    ...(setting.requiredWhenDeployed === undefined ? [] : ['      A deployment must set it.']),
  ]);
  return [`\n${owner}`, ...rows];
}

const USAGE = `Lists every setting with its default, or those of one service.

  npm run settings [-- SERVICE]

SERVICE is common or one of the services, such as documents.`;

/** `npm run settings`: lists the settings, and gives the exit code. @example await runSettings(['documents']) */
export async function runSettings(argv: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    const { values, positionals } = parseCommandLine(
      { args: [...argv], options: HELP, strict: true, allowPositionals: true },
      HELP_COMMAND,
    );
    if (values.help) output.print(USAGE);
    else output.print(linesOf(await named(positionals)).join('\n'));
    return 0;
  } catch (error) {
    output.printError(reasonOf(error));
    return 1;
  }
}

const HELP_COMMAND = 'npm run settings -- --help';

async function named([owner, ...more]: readonly string[]): Promise<Manual[]> {
  const all = await manuals();
  if (owner === undefined) return all;
  const found = all.filter((manual) => manual.owner === owner);
  const problem = found.length === 0 ? owner : more[0];
  if (problem === undefined) return found;
  const hint = didYouMean(
    problem,
    all.map((each) => each.owner),
  );
  throw new CommandRefusal(
    found.length === 0
      ? `${problem} is no service.${hint} See: ${HELP_COMMAND}`
      : `One service is listed at a time. See: ${HELP_COMMAND}`,
  );
}

const linesOf = (settings: readonly Manual[]): string[] => [
  'Every setting with its default. Set one by the environment variable in brackets;',
  '<service>__<variable> sets it for one service alone. Durations are seconds, hh:mm:ss or d.hh:mm:ss.',
  ...settings.flatMap(describe),
];

if (import.meta.main) process.exitCode = await runSettings(process.argv.slice(2));
