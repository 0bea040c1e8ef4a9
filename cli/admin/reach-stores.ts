import { resolve } from 'node:path';
import { readEngine } from '../../infra/local/engine/engine-file.ts';
import { externalEndpoints, useStores } from '../../infra/local/stores/endpoints.ts';
import { ringIn } from '../../infra/local/stores/ring-file.ts';
import { readSettings, settingsFile } from '../../infra/plugins/beside.ts';
import { LOCAL_STAGE, SERVICES } from '../../shared/settings/names.ts';

/**
 * Points this process at the stores of a stage: for `local` the stores of the running engine, or the endpoints that are
 * set; for any other stage the AWS account that is configured.
 * @example reachStores({ stage: 'local', dataDir: '.local' })
 */
export function reachStores({ stage, dataDir }: { stage: string; dataDir: string }): void {
  process.env.STAGE = stage;
  if (stage !== LOCAL_STAGE) {
    if (!process.env.AWS_REGION)
      throw new Error(`Set AWS_REGION to the region that stage ${stage} is deployed in.`);
    useSealingSettings(stage);
    return;
  }
  const engine = readEngine(dataDir);
  const env = externalEndpoints(process.env) ?? engine?.env;
  if (!env)
    throw new Error(
      `No engine is running on ${dataDir}. Start one with npm start, or name a deployed --stage.`,
    );
  useStores(env);
  if (engine) process.env.Http__PublicUrl ??= engine.url;
  // Stores that run elsewhere have no engine file.
  const ring = ringIn(dataDir);
  if (ring !== undefined) process.env.Sealing__Keys ??= ring;
}

/** What this command seals and opens is sealed by the ring that the services of the stage are deployed with. */
function useSealingSettings(stage: string): void {
  const files = new Set(SERVICES.map((service) => settingsFile(REPOSITORY, stage, service)));
  for (const file of files) {
    const given = readSettings(REPOSITORY, file);
    for (const name of ['Sealing__Keys', 'Sealing__KmsKey'])
      if (typeof given[name] === 'string') process.env[name] ??= given[name];
  }
}

/**
 * Takes the stage, the stores and the settings of a host from its file, and creates the tables that are not there yet: an
 * operator issues keys before the host's first start, which needs some of them.
 * @example await reachHost('/etc/sinete/sinete.yaml')
 */
export async function reachHost(file: string): Promise<void> {
  // Code that reads functions/ or infra/ does so from the root.
  process.chdir(REPOSITORY);
  // Half of the time of a command that needs none of it.
  const [{ readConfig }, { setEnvironment }, { useHostStores }, { createDeclared }, { readDeclared }] =
    await Promise.all([
      import('../../infra/host/config/config.ts'),
      import('../../infra/host/config/environment.ts'),
      import('../../infra/host/stores.ts'),
      import('../../infra/runtime/resources/create.ts'),
      import('../../infra/runtime/resources/read.ts'),
    ]);
  const config = await readConfig(file);
  setEnvironment(config);
  useHostStores(config);
  await createDeclared(readDeclared(REPOSITORY, config.stage), () => undefined);
}

const REPOSITORY = resolve(import.meta.dirname, '../..');

/**
 * Has the engine of this folder forget what it has read of applications and organizations, so that a change takes effect
 * at once. A deployment sees it after Access:CacheSeconds. Best effort: an engine that does not answer reads again soon.
 * @example await refreshEngine({ stage: 'local', dataDir: '.local' })
 */
export async function refreshEngine({ stage, dataDir }: { stage: string; dataDir: string }): Promise<void> {
  const engine = stage === LOCAL_STAGE ? readEngine(dataDir) : undefined;
  if (!engine) return;
  const signal = AbortSignal.timeout(REFRESH_WITHIN_MS);
  await fetch(`${engine.url}/sandbox/cached`, { method: 'DELETE', signal }).catch(() => undefined);
}

const REFRESH_WITHIN_MS = 2_000;
