import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../shared/command-line/nearest.ts';
import { commonSettings } from '../shared/settings/common.ts';
import type { Setting } from '../shared/settings/kinds.ts';
import { MANUAL, type Manual, type Settings } from '../shared/settings/settings.ts';
import { engineOf, isOfSurface } from './engine-of.ts';

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
  if (secret) return value === '' ? 'empty' : 'secret';
  return unit === 'seconds' ? `${value} s` : String(value);
};

function print({ owner, table }: Manual): void {
  if (Object.keys(table).length === 0) return;
  console.log(`\n${owner}`);
  for (const [name, setting] of Object.entries(table)) {
    console.log(`  ${name} = ${displayDefault(setting)}  (${setting.unit}; ${name.replaceAll(':', '__')})`);
    console.log(`      ${setting.why}`);
    if (setting.requiredWhenDeployed !== undefined) console.log('      A deployment must set it.');
  }
}

if (import.meta.main) {
  console.log('Every setting with its default. Set one by the environment variable in brackets;');
  console.log(
    '<service>__<variable> sets it for one service alone. Durations are seconds, hh:mm:ss or d.hh:mm:ss.',
  );
  for (const manual of await manuals()) print(manual);
}
