import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packageServices } from '../../infra/build/package.ts';
import { whyNotDeployable } from '../../infra/plugins/deployable.ts';
import { stageParameters } from '../../infra/stack/parameters.ts';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { parseCommandLine } from '../../shared/command-line/parse.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { check } from './checks.ts';
import { type Context, contextFor, DEFAULT_REGION, stackName } from './context.ts';
import { deployLogRole, deployService, deployWatch } from './deploy-stacks.ts';
import { inOrder, OPTIONS, USAGE } from './options.ts';
import { functionsIn, isFor, type Packaged, packageFolder, readPackage } from './packages.ts';
import { remove } from './remove.ts';
import { missingSettings } from './settings.ts';
import { smokeTest } from './smoke.ts';
import { describeStack, type StackState } from './stacks.ts';

/** What a test gives in place of the repository and of the waiting. */
export type Surroundings = Partial<Pick<Context, 'root' | 'pause'>>;

/** `npm run deploy`: deploys or removes, and gives the exit code. @example await runDeploy(['--stage', 'prod', '--dry-run']) */
export async function runDeploy(
  argv: readonly string[],
  output: Output = CONSOLE,
  surroundings: Surroundings = {},
): Promise<number> {
  try {
    await run(argv, output, surroundings);
    return 0;
  } catch (error) {
    output.printError((error as Error).message);
    return 1;
  }
}

const REPOSITORY = resolve(import.meta.dirname, '../..');

async function run(argv: readonly string[], output: Output, surroundings: Surroundings): Promise<void> {
  const { values } = parseCommandLine({ args: [...argv], options: OPTIONS }, 'npm run deploy -- --help');
  if (values.help) return output.print(USAGE);
  const { stage, service: named = SERVICES } = values;
  if (stage === undefined) throw new CommandRefusal('Name the stage: npm run deploy -- --stage prod');
  for (const service of named) {
    const why = whyNotDeployable(stage, service);
    if (why) throw new CommandRefusal(why);
  }
  const root = surroundings.root ?? REPOSITORY;
  // Every client of this process is for the region of the stacks, and the ring is encrypted for their stage.
  process.env.STAGE = stage;
  process.env.AWS_REGION ??= DEFAULT_REGION;
  const region = process.env.AWS_REGION;
  const parameters = stageParameters(root, stage, values.param);
  const context = contextFor({ root, stage, region, parameters, output, ...surroundings });
  const services = inOrder(named);
  if (values.remove) return remove(context, services, values['dry-run']);
  await deploy(context, services, { isDryRun: values['dry-run'], isPackaged: values.packaged });
}

type How = { readonly isDryRun: boolean; readonly isPackaged: boolean };

async function deploy(
  context: Context,
  services: readonly string[],
  { isDryRun, isPackaged }: How,
): Promise<void> {
  const { output, stage, region } = context;
  const problems = isPackaged ? [] : await packageAll(context, services);
  const packages = services
    .flatMap((service) => readPackage(context.root, service) ?? [])
    .filter((packaged) => isFor(packaged, stackName(context, packaged.service)));
  if (isPackaged)
    for (const service of services.filter((each) => !packages.some((packaged) => packaged.service === each)))
      problems.push(
        `${service} is not packaged for this stage: npm run package -- --service ${service} --stage ${stage}`,
      );
  const findings = await check(context, services, packages);
  const { stacks } = findings;
  problems.push(...findings.problems);
  output.print(`Stage ${stage} in ${region}, account ${findings.account ?? 'unknown'}:`);
  for (const line of planOf(context, packages, stacks, findings.lacksLogRole)) output.print(`  ${line}`);
  for (const warning of findings.warnings) output.print(`Note: ${warning}`);
  if (problems.length > 0)
    throw new CommandRefusal(
      [`${problems.length} to mend before this can be deployed:`, ...problems].join('\n- '),
    );
  if (isDryRun) return output.print('Nothing is missing. Nothing was changed: --dry-run.');

  if (findings.lacksLogRole) await deployLogRole(context);
  for (const packaged of packages) await deployService(context, packaged);
  const present = SERVICES.filter((each) => stacks.has(each) || services.includes(each));
  await deployWatch(context, present);
  await smokeTestAll(context, services);
}

/** Builds and packages the services. Answers why one cannot be, for each that cannot. */
async function packageAll(
  { root, stage, parameters, output }: Context,
  services: readonly string[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const service of services) {
    await rm(packageFolder(root, service), { recursive: true, force: true });
    const missing = await missingSettings(root, stage, service);
    problems.push(...missing);
    if (missing.length > 0) continue;
    try {
      for await (const { resources } of packageServices({ services: [service], stage, root, parameters }))
        output.print(`Packaged ${service}: ${resources} resources`);
    } catch (error) {
      problems.push(`${service}: ${(error as Error).message}`);
    }
  }
  return problems;
}

const LOG_ROLE_TEXT =
  'create  sinete-api-logs: the role by which API Gateway writes access logs, once a region';

function planOf(
  context: Context,
  packages: readonly Packaged[],
  stacks: ReadonlyMap<string, StackState>,
  lacksLogRole: boolean,
): string[] {
  const { parameters, stage } = context;
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return [
    ...(lacksLogRole ? [LOG_ROLE_TEXT] : []),
    ...packages.map(({ service, template }) => {
      const counts = `${functionsIn(template).length} functions, ${Object.keys(template.Resources).length} resources`;
      return `${stacks.has(service) ? 'update' : 'create'}  ${stackName(context, service)}: ${counts}`;
    }),
    `apply   ${stackName(context, 'watch')}: alarms and the dashboard sinete-${stage}`,
    `with    ${given.length > 0 ? given.join(', ') : 'no parameters'}`,
  ];
}

/** Calls what was deployed. */
async function smokeTestAll(context: Context, services: readonly string[]): Promise<void> {
  const problems: string[] = [];
  for (const service of services) {
    const state = await describeStack(context, stackName(context, service));
    const url = state?.outputs.ServiceEndpoint ?? '';
    const found = await smokeTest(service, url);
    problems.push(...found);
    if (found.length === 0) context.output.print(`${service} answers: ${url}/${service}`);
  }
  if (problems.length > 0)
    throw new CommandRefusal(['Deployed, but it does not answer as it must:', ...problems].join('\n- '));
}
