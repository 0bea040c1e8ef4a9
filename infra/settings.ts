import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { commonSettings } from '../shared/settings/common.ts';
import type { Setting } from '../shared/settings/kinds.ts';
import { MANUAL, type Manual, type Settings } from '../shared/settings/settings.ts';

/** The common settings and those of every service, from their `settings.ts` files. */
export async function manuals(): Promise<Manual[]> {
  const files = globSync('functions/*/settings.ts').toSorted();
  const modules = await Promise.all(
    files.map((file): Promise<{ settings: Settings }> => import(pathToFileURL(file).href)),
  );
  return [commonSettings[MANUAL], ...modules.map(({ settings }) => settings[MANUAL])];
}

/** Throws one clear line that names the first setting that does not hold. */
export async function checkAllSettings(): Promise<void> {
  for (const { check } of await manuals()) check();
}

/** Every environment variable that sets something, for all services or for one. */
export async function settingVariables(): Promise<Set<string>> {
  const names = (await manuals()).flatMap(({ owner, table }) =>
    Object.keys(table).flatMap((name) => {
      const variable = name.replaceAll(':', '__');
      return [variable, `${owner}__${variable}`];
    }),
  );
  return new Set(names);
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
  }
}

if (import.meta.main) {
  console.log('Every setting with its default. Set one by the environment variable in brackets;');
  console.log('<service>__<variable> sets it for one service alone. Durations are seconds or hh:mm:ss.');
  for (const manual of await manuals()) print(manual);
}
