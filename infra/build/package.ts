import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { whyNotDeployable } from '../plugins/deployable.ts';
import { requiredVariablesOf } from '../settings.ts';
import { stageParameters } from '../stack/parameters.ts';
import { watchTemplate } from '../watch/template.ts';
import { watchedOf } from '../watch/watched.ts';
import { type BuildOptions, type Bundle, build } from './build.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

export type PackageOptions = {
  services: readonly string[];
  stage: string;
  root?: string;
  /** See infra/stack/parameters.ts. */
  parameters?: Readonly<Record<string, string>>;
  /** Builds the services; as they are deployed unless given. */
  buildServices?: (options: BuildOptions) => Promise<Bundle[]>;
};

export type PackageResult = {
  service: string;
  /** The folder that holds the CloudFormation template. */
  folder: string;
  resources: number;
  bundles: Bundle[];
};

/**
 * Builds the services and has the framework write each one's CloudFormation into dist/packages/<service>.
 * Needs no credentials and no network.
 * @example for await (const { service, resources } of packageServices({ services: ['hub'], stage: 'prod' })) …
 */
export async function* packageServices({
  services,
  stage,
  root = REPOSITORY,
  parameters = {},
  buildServices = build,
}: PackageOptions): AsyncGenerator<PackageResult> {
  const bundles = await buildServices({ local: false, outdir: root, services: [...services], root });
  // One after another: the framework works in <root>/.serverless, which two runs cannot share. It also empties
  // that folder before each run, which is why the packages are kept elsewhere.
  for (const service of services) {
    const folder = join(root, 'dist/packages', service);
    await runFramework(root, [
      'package',
      '--stage',
      stage,
      '--param',
      `service=${service}`,
      ...Object.entries(parametersFor(root, service, parameters)).flatMap(([name, value]) => [
        '--param',
        `${name}=${value}`,
      ]),
      '--package',
      folder,
    ]);
    const template = JSON.parse(
      await readFile(join(folder, 'cloudformation-template-update-stack.json'), 'utf8'),
    ) as { Resources: Record<string, unknown> };
    const resources = Object.keys(template.Resources).length;
    yield { service, folder, resources, bundles: bundles.filter((bundle) => bundle.service === service) };
  }
}

/** The parameters of a stage that are for a service: one without a function that may reserve concurrency refuses to. */
function parametersFor(
  root: string,
  service: string,
  { reservedConcurrency, ...others }: Readonly<Record<string, string>>,
): Record<string, string> {
  const takes = watchedOf(root, service, '').signing.length > 0;
  return { ...others, ...(reservedConcurrency !== undefined && takes && { reservedConcurrency }) };
}

/**
 * Writes the template of the stack that watches these services into dist/packages/watch, and answers its path.
 * @example await packageWatch({ services: ['hub'], stage: 'prod' })
 */
export async function packageWatch({ services, stage, root = REPOSITORY }: PackageOptions): Promise<string> {
  const folder = join(root, 'dist/packages/watch');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'template.json');
  await writeFile(path, JSON.stringify(watchTemplate(root, { stage, services })));
  return path;
}

async function runFramework(root: string, args: string[]): Promise<void> {
  const command = join(REPOSITORY, 'node_modules/serverless/bin/serverless.js');
  const env = {
    ...process.env,
    // The framework's default for its schema validators is the home folder.
    SLS_SCHEMA_CACHE_BASE_DIR: join(REPOSITORY, 'node_modules/.cache/sinete'),
  };
  try {
    await promisify(execFile)(process.execPath, [command, ...args], { cwd: root, env });
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    // The framework prints its reason as a paragraph after this word.
    const reason = /^Error:\n([\s\S]+?)\n\s*\n/m.exec(`${stdout}\n\n`)?.[1];
    throw new Error(reason ?? message, { cause: error });
  }
}

function describe({ service, resources, bundles }: PackageResult): string {
  const biggest = bundles.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const kilobytes = Math.ceil(biggest.bytes / 1000);
  return `${service}: ${bundles.length} functions, ${resources} resources, biggest bundle ${biggest.name} ${kilobytes} KB -> dist/packages/${service}`;
}

/** A stage without a file of settings is refused before anything is built, with what the file must have. */
async function requireSettings(service: string, stage: string): Promise<void> {
  const files = [`settings.${stage}.yml`, `settings.${stage}.${service}.yml`];
  if (files.some((file) => existsSync(join(REPOSITORY, file)))) return;
  const required = await requiredVariablesOf(service);
  if (required.length === 0) return;
  throw new Error(
    `Stage ${stage} has no settings. Write settings.${stage}.yml with ${required.join(' and ')}, which ${service} needs: see step 2 of docs/aws.md.`,
  );
}

const USAGE = `Builds services and writes the CloudFormation of each, without credentials and without a network.

  npm run package -- [--service SERVICE] [--stage STAGE] [--param NAME=VALUE ...]

  --service SERVICE  one of ${SERVICES.join(', ')}; all of them unless given
  --stage STAGE      prod unless given; its settings are in settings.STAGE.yml, its parameters in parameters.STAGE.yml
  --param NAME=VALUE a parameter of docs/aws.md, which counts more than the file's

The packages are in dist/packages/SERVICE, and that of the alarms in dist/packages/watch. npm run deploy deploys them:
see docs/aws.md.
`;

const OPTIONS = {
  service: { type: 'string' },
  stage: { type: 'string', default: 'prod' },
  param: { type: 'string', multiple: true, default: [] as string[] },
  ...HELP,
} as const;

async function main(): Promise<void> {
  const { stage, service, param, help } = parseCommandLine(
    { options: OPTIONS },
    'npm run package -- --help',
  ).values;
  if (help) return console.log(USAGE);
  const services = service === undefined ? SERVICES : [service];
  const why = whyNotDeployable(stage, services[0]);
  if (why) throw new Error(why);
  for (const each of services) await requireSettings(each, stage);
  const parameters = stageParameters(REPOSITORY, stage, param);
  for await (const packaged of packageServices({ services, stage, parameters }))
    console.log(describe(packaged));
  await packageWatch({ services, stage });
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
