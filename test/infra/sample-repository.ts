import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');

/**
 * A repository in a temporary folder: the real composition and infra around the given files, so that
 * tests that build and package do not meet each other, nor a developer's own `dist/`.
 */
export async function sampleRepository(files: Record<string, string>): Promise<string> {
  const root = await bareRepository();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** The same around the real functions. */
export async function realRepository(): Promise<string> {
  const root = await bareRepository();
  await symlink(join(REPOSITORY, 'functions'), join(root, 'functions'));
  return root;
}

/** What a stage must set, and some more: one file for all services. */
export const STAGE_SETTINGS = {
  Log__Level: 'WARN',
  batch__Auth__ApiKey: 'ssm:/sinete/prod/batch/auth/api-key',
  Signer__BaseAddress: 'https://sign.example/documents',
  Signer__ApiKey: 'secretsmanager:sinete/prod/signer#key',
  Sealing__Keys: 'ssm:/sinete/prod/sealing/keys',
  Certificates__TrustAnchors: 'trust/roots.pem',
  SecurityContexts__PkiBrazil: 'trust/roots.pem',
  Uploads__CorsOrigins: 'https://app.example',
  TZ: 'UTC',
};

/** Writes the settings of a stage, and the roots that they name. */
export async function writeStageSettings(
  root: string,
  stage: string,
  settings: Readonly<Record<string, unknown>> = STAGE_SETTINGS,
): Promise<void> {
  await mkdir(join(root, 'trust'), { recursive: true });
  await writeFile(join(root, 'trust/roots.pem'), 'a root');
  // JSON is YAML.
  await writeFile(join(root, `settings.${stage}.yml`), JSON.stringify(settings));
}

async function bareRepository(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sinete-repository-'));
  for (const name of ['infra', 'shared', 'node_modules', 'package.json']) {
    await symlink(join(REPOSITORY, name), join(root, name));
  }
  await cp(join(REPOSITORY, 'serverless.yml'), join(root, 'serverless.yml'));
  return root;
}

/** The source of a handler that answers its own name and the method of the request. */
export const echoHandler = (name: string): string =>
  `export const handler = async (event: { httpMethod: string }) =>
    ({ statusCode: 200, body: '${name} ' + event.httpMethod });\n`;
