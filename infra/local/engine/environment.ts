import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SANDBOX_CONTEXT } from '../../../functions/sandbox/sandbox-data.ts';
import { DOCS_SERVED } from '../../../shared/settings/docs.ts';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { socketUrlAt } from '../../runtime/sockets/gateway.ts';
import { biometricsAt, LOCAL_SETTINGS, timestampsAt } from '../seed/local-settings.ts';

type StageOptions = { url: string; dataDir: string; external: Record<string, string> | undefined };

/** The region of our own stores. */
const REGION = 'us-east-1';

/** Sets the environment of the local stage, with this engine's address and folder, for this process and its children. */
export function enterLocalStage({ url, dataDir, external }: StageOptions): void {
  const { env } = process;
  env.STAGE = LOCAL_STAGE;
  env.Http__PublicUrl ??= url;
  env[DOCS_SERVED] = 'yes';
  // The upload page of the batch dashboard puts large files straight into the store.
  env.Upload__CorsOrigins ??= new URL(env.Http__PublicUrl).origin;
  const settings = { ...LOCAL_SETTINGS, ...biometricsAt(url), ...timestampsAt(url) };
  for (const [name, value] of Object.entries(settings)) env[name] ??= value;
  // Sessions on certificates of the vault do not outlive a restart.
  env.Sessions__Epoch ??= randomUUID();
  // Jobs in flight at the last stop have no worker any more.
  env.Pipeline__Boot ??= randomUUID();
  env.Local__DataDir = dataDir;
  // The sandbox's own root, written there before the first request.
  const root = join(dataDir, 'pki/root.crt');
  env.Certificates__TrustAnchors ??= root;
  env.SecurityContexts__PkiBrazil ??= root;
  env.SecurityContexts__Others ??= `${SANDBOX_CONTEXT}=${root}`;
  env.AWS_REGION = external?.AWS_REGION ?? REGION;
  if (external) return;
  env.Agents__SocketUrl ??= socketUrlAt(env.Http__PublicUrl);
  // Our own stores accept any key. Real credentials must not reach their logs.
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    delete env[name];
}

/** The environment of Lambda: libraries choose their mode by NODE_ENV, and Lambda sets none. */
export function environmentOfFunctions(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_ENV: _unset, ...rest } = env;
  return rest;
}
