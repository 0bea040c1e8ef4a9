import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { externalEndpoints, storesOutOfReach, useStores } from '../../infra/local/stores/endpoints.ts';
import { startOwnStores } from '../../infra/local/stores/own.ts';
import { newRing } from '../../infra/local/stores/ring-file.ts';
import { createDeclared } from '../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../infra/runtime/resources/read.ts';
import { removeStage } from './remove-stage.ts';

type Stop = () => Promise<void>;

/** Once for a run: the tables, buckets and queues of its own stage, removed at its end. */
export async function setup(): Promise<Stop> {
  process.env.Sealing__Keys = newRing();
  const external = externalEndpoints(process.env);
  const { STORES = external ? 'endpoints' : 'embedded', STAGE = '' } = process.env;
  if (STORES === 'embedded') return setUpEmbedded(STAGE);
  if (STORES === 'endpoints' && external) useStores(external);
  else if (STORES === 'aws' && !external) requireAccount(process.env);
  else
    throw new Error(
      `STORES is ${STORES}. It is embedded, endpoints with AWS_ENDPOINT_URL set, or aws without. docs/localstack.md has examples.`,
    );
  await createDeclared(readDeclared(process.cwd(), STAGE, true)).catch((error: unknown) => {
    throw external ? storesOutOfReach(external, error) : error;
  });
  return async () => {
    const { tables, buckets, queues } = await removeStage(STAGE);
    console.log(`Removed ${tables} tables, ${buckets} buckets and ${queues} queues of the stage ${STAGE}.`);
  };
}

/** The stores of this repository, in a folder of the run's own that all its processes use. */
async function setUpEmbedded(stage: string): Promise<Stop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sinete-stores-'));
  const { env, stop } = await startOwnStores({ dataDir });
  Object.assign(process.env, env);
  await createDeclared(readDeclared(process.cwd(), stage, true));
  return async () => {
    await stop();
    rmSync(dataDir, { recursive: true });
    console.log(`Removed the embedded stores in ${dataDir}.`);
  };
}

/** The stores of an AWS account, which somebody must have named on purpose. */
function requireAccount({
  AWS_REGION,
  AWS_ACCOUNT_ID,
  AWS_PROFILE,
  AWS_ACCESS_KEY_ID,
}: NodeJS.ProcessEnv): void {
  if (AWS_REGION && AWS_ACCOUNT_ID && (AWS_PROFILE || AWS_ACCESS_KEY_ID)) return;
  throw new Error(
    'No account is named. Set AWS_REGION, AWS_ACCOUNT_ID, and AWS_PROFILE or AWS_ACCESS_KEY_ID with its secret. docs/localstack.md has examples.',
  );
}
