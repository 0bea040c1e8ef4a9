import { existsSync } from 'node:fs';
import { lockFolder } from '../../../infra/local/engine/folder-lock.ts';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { exportStage } from '../../../infra/transfer/export.ts';
import type { Counts } from '../../../infra/transfer/format.ts';
import { importStage } from '../../../infra/transfer/import.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import { hasProvidedStores } from '../../../shared/embedded/provided.ts';
import { stage } from '../../../shared/settings/names.ts';
import { dataFolder, explained, type InstallationValues, packageVersion, requirePath } from './options.ts';

const say = (line: string): void => console.error(line);

const SECRETS =
  'SECRETS ARE SEALED, AND THEIR KEYS ARE NOT IN THE FILE: the new stage needs the same Sealing:Keys.';

/** Writes everything that a stage holds to a file. */
export const exportInstallation = (values: InstallationValues): Promise<string> =>
  whileStopped(values, async (force) => {
    const path = requirePath('to', values.to, 'FILE');
    if (existsSync(path)) throw new AdminRefusal(`${path} is there already. Name another file: --to FILE`);
    const counts = await exportStage({ root: process.cwd(), path, force, say }, packageVersion());
    return `Exported the stage ${stage()} to ${path}: ${textOf(counts)}.\n${SECRETS}`;
  });

/** Writes an export into another stage, or into the same one elsewhere. */
export const importInstallation = (values: InstallationValues): Promise<string> =>
  whileStopped(values, async (force) => {
    const path = requirePath('from', values.from, 'FILE');
    const root = process.cwd();
    // In an account a stage is deployed first.
    if (hasProvidedStores() || hasEndpoint())
      await createDeclared(readDeclared(root, stage()), () => undefined);
    const { header, otherTags, ...counts } = await importStage({ root, path, force, say });
    const changed =
      otherTags.length > 0
        ? [
            `${otherTags.length} objects have another entity tag than before, ${otherTags[0]} among them. Jobs that have not read theirs yet will say that it was replaced: retry them.`,
          ]
        : [];
    return [
      `Imported ${textOf(counts)} of the stage ${header.stage}, of ${header.exportedAt}, into the stage ${stage()}.`,
      ...changed,
      SECRETS,
    ].join('\n');
  });

/** Keeps a host from starting on embedded stores meanwhile, and refuses where one runs. */
const whileStopped = <T>(values: InstallationValues, work: (force: boolean) => Promise<T>): Promise<T> =>
  explained(async () => {
    const { force = false } = values;
    const lock = hasProvidedStores() && !force ? await lockFolder(await dataFolder(values), 0) : undefined;
    try {
      return await work(force);
    } finally {
      lock?.release();
    }
  });

const textOf = ({ items, objects, bytes, messages }: Counts): string =>
  `${items} items, ${objects} objects with ${bytes} bytes, ${messages} messages`;

const hasEndpoint = (): boolean =>
  Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL') && process.env[name]);
