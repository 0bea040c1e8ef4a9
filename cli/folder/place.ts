import { SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import { readEngine } from '../../infra/local/engine/engine-file.ts';
import { externalEndpoints, STORES_FOLDER } from '../../infra/local/stores/endpoints.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { connectS3 } from '../../shared/files/client.ts';
import { type Files, files } from '../../shared/files/files.ts';
import { bucketName, LOCAL_STAGE } from '../../shared/settings/names.ts';
import { reachStores } from '../admin/reach-stores.ts';
import { readSecret } from '../terminal/pin.ts';
import { type Api, batchApi, type RemoteFolder, Unavailable } from './api.ts';
import type { Options } from './options.ts';

/** A folder of a running service, and how to reach both. */
export type Place = {
  readonly api: Api;
  readonly files: Files;
  /** What the folder is in the store: the start of its keys, and of its paths in jobs. */
  readonly keyPrefix: string;
  readonly pathPrefix: string;
};

/** Names the service in the state file. An engine keeps its data folder, and may change its port. */
export const serviceName = ({ stage, url, dataDir }: Options): string =>
  url ?? (stage === LOCAL_STAGE ? dataDir : stage);

/**
 * Finds the service, and gives a function that connects to it. The function is called again after the service did not
 * answer: an engine that was started again may have other stores.
 */
export async function findPlace(options: Options): Promise<() => Promise<Place>> {
  const { stage, dataDir, url } = options;
  if (stage === LOCAL_STAGE && !readEngine(dataDir) && !(url && externalEndpoints(process.env)))
    throw new CommandRefusal(
      `No engine is running on ${dataDir}. Start one with npm start, or name a deployed --stage.`,
    );
  const key = await operatorKey(options);
  const isElsewhere = stage !== LOCAL_STAGE || externalEndpoints(process.env) !== undefined;
  let client: ReturnType<typeof connectS3> | undefined;
  return async () => {
    const api = batchApi({ url: addressOf(options), key });
    const folder = await requireFolder(api, options.folder);
    // Those of an engine that was stopped.
    if (!isElsewhere) forgetEndpoints();
    reachStores(options);
    const [, share, sharePrefix = ''] = /^share:([^/]+)(?:\/(.*))?$/.exec(folder.path) ?? [];
    if (share !== undefined) {
      const { inputFiles } = await import('../../functions/batch/storage/domain/stores.ts');
      const keyPrefix = sharePrefix === '' ? '' : `${sharePrefix}/`;
      return { api, files: await inputFiles(share), keyPrefix, pathPrefix: `${folder.path}/` };
    }
    client?.destroy();
    client = connectS3();
    await requireAccount(stage, client);
    const bucket = { name: bucketName('batch'), client };
    const keyPrefix = `${folder.path}/`;
    return { api, files: files({ bucket, prefix: '' }), keyPrefix, pathPrefix: keyPrefix };
  };
}

function forgetEndpoints(): void {
  for (const name of Object.keys(process.env))
    if (name.startsWith('AWS_ENDPOINT_URL') || name === STORES_FOLDER) delete process.env[name];
}

function addressOf({ url, stage, dataDir }: Options): string {
  if (url !== undefined) return url;
  const engine = stage === LOCAL_STAGE ? readEngine(dataDir) : undefined;
  if (!engine) throw new Unavailable(`No engine is running on ${dataDir}`);
  return `${engine.url}/batch`;
}

async function operatorKey({ stage, key, folder }: Options): Promise<string> {
  if (key.file !== undefined || key.variable !== undefined || stage !== LOCAL_STAGE)
    return readSecret(key, { name: 'operator key', whose: `the folder ${folder}`, option: 'key' });
  return process.env.Auth__ApiKey ?? SANDBOX_KEY;
}

async function requireFolder(api: Api, name: string): Promise<RemoteFolder> {
  const folders = await api.folders();
  const folder = folders.find((each) => each.name === name);
  if (!folder)
    throw new CommandRefusal(
      `The service has no input folder ${name}. It has: ${folders.map((each) => each.name).join(', ') || 'none'}. See the setting Storage:Inputs.`,
    );
  // A folder shows its profile as of its last scan, up to a minute ago.
  if (folder.profileName === null && !(await isSelected(api, name)))
    throw new Unavailable(
      `No profile has selected the folder ${name} yet: it is to be the inputFolder of one (npm run admin -- profiles put FILE.json)`,
    );
  return folder;
}

async function isSelected(api: Api, folder: string): Promise<boolean> {
  for (const name of await api.profiles()) if ((await api.profile(name)).inputFolder === folder) return true;
  return false;
}

/** Names of buckets contain the account, which credentials do not always tell. */
async function requireAccount(stage: string, client: ReturnType<typeof connectS3>): Promise<void> {
  if (process.env.AWS_ACCOUNT_ID) return;
  const { accountId } = await client.config.credentials();
  if (!accountId)
    throw new CommandRefusal(`Set AWS_ACCOUNT_ID to the account that stage ${stage} is deployed in.`);
  process.env.AWS_ACCOUNT_ID = accountId;
}
