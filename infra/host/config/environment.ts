import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { CommandRefusal, reasonOf } from '../../../shared/command-line/reason.ts';
import { DOCS_SERVED } from '../../../shared/settings/docs.ts';
import { readNamedValues } from '../../../shared/settings/named-values.ts';
import { STORES_FOLDER } from '../../local/stores/endpoints.ts';
import { filesIn, isTrustSetting } from '../../plugins/trust.ts';
import { socketUrlAt } from '../../runtime/sockets/gateway.ts';
import { environmentOfStores } from '../stores.ts';
import { type HostConfig, hostManuals } from './config.ts';

/**
 * Sets the environment of the functions for this process and its children. A variable that is set already wins over the
 * file. Throws one refusal that names every setting that is missing or wrong.
 * @example await enterStage(await readConfig('sinete.yaml'));
 */
export async function enterStage(config: HostConfig): Promise<void> {
  setEnvironment(config);
  // Sessions on certificates of the vault do not outlive a restart of the host.
  process.env.Sessions__Epoch ??= randomUUID();
  process.env.Pipeline__Boot ??= randomUUID();
  await readNamedValues();
  const problems = new Set([
    ...environmentOfStores(config, process.env).problems,
    ...(await hostManuals()).flatMap((manual) => manual.problems()),
    ...unreadableFiles(process.env),
  ]);
  if (problems.size === 0) return;
  throw new CommandRefusal(
    [`${config.file} and the environment are not complete:`, ...problems].join('\n  '),
  );
}

/** The same without the checks: a command needs the stores, and few settings. */
export function setEnvironment(config: HostConfig): void {
  const { env } = process;
  // Lambda sets none, and libraries choose their mode by it.
  delete env.NODE_ENV;
  // Of the local engine.
  for (const name of ['SANDBOX_KEY', 'SANDBOX_ORGANIZATION', 'SANDBOX_UNIVERSITY', STORES_FOLDER])
    delete env[name];
  env.STAGE = config.stage;
  env[DOCS_SERVED] = 'yes';
  Object.assign(env, environmentOfStores(config, env).env);
  const { origin } = new URL(config.publicUrl);
  const settings: Record<string, string> = {
    // The dashboard's upload page puts large files straight into the store.
    Upload__CorsOrigins: origin,
    // Not with stores that several hosts may share: a connection is reached on its own machine alone.
    ...(config.stores === 'embedded' && { Agents__SocketUrl: socketUrlAt(config.publicUrl) }),
    ...config.settings,
  };
  for (const [name, value] of Object.entries(settings)) env[name] ??= value;
  // One address: readConfig() has checked it.
  env.Http__PublicUrl = config.publicUrl;
}

/** Files that settings name and that cannot be read, before a request finds out. */
function unreadableFiles(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (!isTrustSetting(name) || value.includes('-----BEGIN')) return [];
    return filesIn(value).flatMap((file) => {
      try {
        accessSync(file, constants.R_OK);
        return [];
      } catch (error) {
        return [`${name} names the file ${file}, which cannot be read: ${reasonOf(error)}.`];
      }
    });
  });
}
