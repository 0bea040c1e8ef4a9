import { createDeclared } from '../../infra/local/resources/create.ts';
import { readDeclared } from '../../infra/local/resources/read.ts';
import { externalEndpoints, storesOutOfReach, useStores } from '../../infra/local/stores/endpoints.ts';
import { newSealingKey } from '../../infra/local/stores/sealing-key.ts';
import { removeStage } from './remove-stage.ts';

/** Once for a run: the tables, buckets and queues of its own stage, removed at its end. */
export async function setup(): Promise<() => Promise<void>> {
  const stage = process.env.STAGE ?? '';
  const external = externalEndpoints(process.env);
  if (external) useStores(external);
  else requireAccount(process.env);
  process.env.Webhooks__SealingKey = newSealingKey();
  await createDeclared(readDeclared(process.cwd(), stage)).catch((error: unknown) => {
    throw external ? storesOutOfReach(external, error) : error;
  });
  return async () => {
    const { tables, buckets, queues } = await removeStage(stage);
    console.log(`Removed ${tables} tables, ${buckets} buckets and ${queues} queues of the stage ${stage}.`);
  };
}

/** Without an endpoint the stores are those of an AWS account, which somebody must have named on purpose. */
function requireAccount({
  AWS_REGION,
  AWS_ACCOUNT_ID,
  AWS_PROFILE,
  AWS_ACCESS_KEY_ID,
}: NodeJS.ProcessEnv): void {
  if (AWS_REGION && AWS_ACCOUNT_ID && (AWS_PROFILE || AWS_ACCESS_KEY_ID)) return;
  throw new Error(
    'No stores are named. Set AWS_ENDPOINT_URL for LocalStack or another engine; or, for an AWS account, AWS_REGION, AWS_ACCOUNT_ID, and AWS_PROFILE or AWS_ACCESS_KEY_ID with its secret. docs/localstack.md has examples.',
  );
}
