import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../../infra/host/config/config.ts';
import { configPath, namesConfig } from '../../../infra/host/config/flags.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import type { ValuesOf } from '../../../shared/command-line/parse.ts';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import type { OPTIONS } from '../options.ts';

export type InstallationValues = ValuesOf<typeof OPTIONS>;

/** The data folder that is named, or the one of the host's file, or that of the local engine. */
export async function dataFolder({ data, config }: InstallationValues): Promise<string> {
  if (data !== undefined || !namesConfig(config))
    return resolve(data ?? process.env.Local__DataDir ?? '.local');
  const host = await readConfig(configPath(config));
  if (host.data !== undefined) return host.data;
  throw new AdminRefusal(
    `${host.file} has no data folder: its stores are elsewhere (stores: ${host.stores}). Back them up there.`,
  );
}

/** The absolute path of an option that must be there. */
export function requirePath(option: 'to' | 'from', path: string | undefined, what: 'DIR' | 'FILE'): string {
  if (!path) throw new AdminRefusal(`Name where: --${option} ${what}`);
  return resolve(path);
}

export const packageVersion = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).version;

/** What an operator can do something about is said in a line. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandRefusal) throw new AdminRefusal(error.message);
    throw error;
  }
}
