import { reasonOf } from '../../../shared/command-line/reason.ts';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { openStores, type Stores } from '../../../shared/embedded/stores.ts';
import type { Strict } from '../../../shared/embedded/tables/store.ts';

const SERVICES = ['DYNAMODB', 'S3', 'SQS'] as const;
const EVERY_SERVICE = 'AWS_ENDPOINT_URL';
const REGION = 'us-east-1';
const ACCOUNT = '000000000000';

/** The variable with the folder of stores that run in the processes that use them. */
export const STORES_FOLDER = 'SINETE_STORES';

/** What the SDK wants to know, whoever answers it. Nothing checks the key. */
export const OWN_ENVIRONMENT = {
  AWS_REGION: REGION,
  AWS_ACCOUNT_ID: ACCOUNT,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

type Env = Record<string, string | undefined>;

/**
 * The environment to reach stores that somebody else has: the folder of another engine, or endpoints (LocalStack).
 * Undefined where none is set, and the engine opens its own.
 * @example externalEndpoints({ AWS_ENDPOINT_URL: 'http://localhost:4566' })
 */
export function externalEndpoints(env: Env): Record<string, string> | undefined {
  const { [STORES_FOLDER]: folder, Stores__LinksUrl } = env;
  if (folder)
    return { ...OWN_ENVIRONMENT, [STORES_FOLDER]: folder, ...(Stores__LinksUrl && { Stores__LinksUrl }) };
  const variables = SERVICES.map((service) => `${EVERY_SERVICE}_${service}`);
  const everywhere = env[EVERY_SERVICE];
  const missing = variables.filter((name) => !env[name] && !everywhere);
  if (missing.length === variables.length) return undefined;
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(' and ')} must be set too, or ${EVERY_SERVICE} for all three. Without any, the engine opens its own stores.`,
    );
  }
  return {
    ...Object.fromEntries(variables.map((name) => [name, env[name] ?? everywhere ?? ''])),
    AWS_REGION: env.AWS_REGION ?? REGION,
    AWS_ACCOUNT_ID: env.AWS_ACCOUNT_ID ?? ACCOUNT,
    ...credentials(env),
  };
}

/** Explains an error of the network: its own message names neither the variable nor, at times, the address. */
export function storesOutOfReach(external: Record<string, string>, error: unknown): unknown {
  const isNetwork = error instanceof Error && 'code' in error && /^E(?!RR_)[A-Z_]+$/.test(String(error.code));
  if (!isNetwork) return error;
  const addresses = new Set(SERVICES.map((service) => external[`${EVERY_SERVICE}_${service}`]));
  return new Error(
    `The stores at ${[...addresses].join(', ')} do not answer (${reasonOf(error)}). Start them, or correct ${EVERY_SERVICE} and the variables that begin so; without any, the engine opens its own stores.`,
    { cause: error },
  );
}

/** LocalStack accepts any key. A profile or key that is set stays as it is. */
function credentials(env: Env): Record<string, string> {
  if (env.AWS_PROFILE) return { AWS_PROFILE: env.AWS_PROFILE };
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    return { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...(AWS_SESSION_TOKEN && { AWS_SESSION_TOKEN }) };
}

const DYNAMO = 'Local__Dynamo';

/**
 * How the engine's own tables behave: as DynamoDB does under load, or undefined, where writes that meet wait.
 * @example readAwsOptions({ Local__Dynamo: 'aws' }) // {}
 */
export function readAwsOptions({ [DYNAMO]: value }: NodeJS.ProcessEnv): Strict | undefined {
  if (!value) return undefined;
  if (value !== 'aws') throw new Error(`${DYNAMO} is aws or unset, not "${value}".`);
  return {};
}

/**
 * Points this process at stores: those of a folder are opened here. A profile that is set would override the keys of
 * others, so it is removed.
 * @example useStores(readEngine('.local').env)
 */
export function useStores(env: Record<string, string>): void {
  if (!env.AWS_PROFILE) delete process.env.AWS_PROFILE;
  Object.assign(process.env, env);
  provideFolder(env[STORES_FOLDER]);
}

let provided: { folder: string; stores: Stores } | undefined;

function provideFolder(folder: string | undefined): void {
  if (provided && folder === provided.folder) return;
  provided?.stores.close();
  provided =
    folder === undefined
      ? undefined
      : { folder, stores: openStores({ folder, strict: readAwsOptions(process.env) }) };
  provideStores(provided?.stores);
}
