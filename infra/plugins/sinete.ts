import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LOCAL_STAGE } from '../../shared/settings/names.ts';
import { logicalPrefix, readResources } from '../resources.ts';
import { applyParameters } from '../stack/apply.ts';
import type { CanaryFunction } from '../stack/canary.ts';
import { parameterProblems, readParameters } from '../stack/parameters.ts';
import { requireEngineStack } from './beside.ts';
import { whyNotDeployable, whyNotReservable } from './deployable.ts';
import { equipForDeployment } from './deployed.ts';
import { answerEveryMethod } from './every-method.ts';
import { foldPaths } from './fold-paths.ts';
import { type Framework, placeOf, type VariableRequest } from './framework.ts';

const DEPLOYING = ['package', 'deploy'];

/** The framework's plugin of Sinete. It acts before any command reads the functions. */
export default class SinetePlugin {
  /** `${resources:session}` in serverless.yml. */
  readonly configurationVariablesSources = { resources: { resolve: resourcesOf } };
  readonly hooks: Record<string, () => void | Promise<void>>;

  constructor(framework: Framework) {
    this.hooks = {
      initialize: reportPlainly(framework, prepareFunctions),
      'before:package:createDeploymentArtifacts': reportPlainly(framework, needArtifacts),
      'before:aws:deploy:deploy:createStack': reportPlainly(framework, requireEngineStack),
      'after:aws:package:finalize:addExportNameForOutputs': reportPlainly(framework, finishTemplate),
    };
  }
}

async function resourcesOf({ serviceDir, address }: VariableRequest) {
  return { value: { Resources: readResources(serviceDir, address) } };
}

/** The framework prints its own kind of error as one line, and any other with its stack. */
const reportPlainly =
  (framework: Framework, act: (framework: Framework) => void | Promise<void>) => async () => {
    try {
      await act(framework);
    } catch (error) {
      throw new framework.classes.Error((error as Error).message, 'SINETE');
    }
  };

async function prepareFunctions(framework: Framework): Promise<void> {
  if (DEPLOYING.includes(framework.processedInput.commands[0] ?? '')) {
    const service = refuseUndeployable(framework);
    // Loaded here, because the framework cannot load a plugin that awaits anything while loading.
    const { applyStageSettings } = await import('./settings.ts');
    await applyStageSettings(framework, service);
  }
  separatePathsByCase(framework);
  foldPaths(framework.service.functions);
  answerEveryMethod(framework.service.functions);
  if (framework.service.provider.stage !== LOCAL_STAGE) equipForDeployment(framework);
}

const parametersOf = ({ processedInput }: Framework): Record<string, string> =>
  readParameters([processedInput.options.param ?? []].flat());

/** The service to deploy. */
function refuseUndeployable(framework: Framework): string {
  const { functions, provider } = framework.service;
  const given = parametersOf(framework);
  const [problem] = parameterProblems(given);
  const why =
    whyNotDeployable(provider.stage, given.service) ??
    whyNotReservable(given.reservedConcurrency, functions) ??
    problem;
  if (why) throw new Error(why);
  return given.service ?? '';
}

function needArtifacts({ serviceDir, service }: Framework): void {
  const missing = Object.entries(service.functions)
    .filter(([, fn]) => !existsSync(resolve(serviceDir, fn.package?.artifact ?? '')))
    .map(([key]) => key);
  if (missing.length === 0) return;
  const others = missing.length > 1 ? ` and ${missing.length - 1} more are` : ' is';
  throw new Error(`${missing[0]}${others} not built. Run npm run build first.`);
}

async function finishTemplate(framework: Framework): Promise<void> {
  exportNothing(framework);
  shareLogGroup(framework);
  // Loaded here for the same reason as the settings.
  const { answerInOwnStyle } = await import('./gateway-answers.ts');
  await answerInOwnStyle(framework);
  const { functions, provider } = framework.service;
  const [first] = Object.entries(functions);
  const resources = provider.compiledCloudFormationTemplate?.Resources;
  if (!first || !resources) return;
  const { service } = placeOf(...first);
  applyParameters(
    { service, stage: provider.stage, resources },
    parametersOf(framework),
    signingOf(framework),
  );
}

/** The functions on the path of a signature that callers call: functions.yml lets them reserve concurrency. */
export const signingOf = ({
  serviceDir,
  service: { functions },
}: Pick<Framework, 'serviceDir'> & {
  readonly service: Pick<Framework['service'], 'functions'>;
}): CanaryFunction[] =>
  Object.entries(functions)
    .filter(([, fn]) => fn.reservedConcurrency !== undefined && fn.events.some(({ http }) => http))
    .map(([key, fn]) => ({
      id: `${logicalPrefix(key)}LambdaFunction`,
      codeHash: createHash('sha256')
        .update(readFileSync(resolve(serviceDir, fn.package?.artifact ?? '')))
        .digest('hex'),
    }));

/** The framework exports outputs by names that hold the stage but not the service: two stacks would collide. */
function exportNothing({ service }: Framework): void {
  for (const output of Object.values(service.provider.compiledCloudFormationTemplate?.Outputs ?? {})) {
    delete output.Export;
  }
}

// The framework names a path's resource in lower case, so that one of `/Api` and `/api` would silently replace the other
// in the template. A part with capitals keeps them in its name.

/** Gives paths that differ by case alone resources of their own. */
export function separatePathsByCase(framework: Framework): void {
  const { naming } = framework.getProvider('aws');
  const usual = naming.normalizePathPart.bind(naming);
  naming.normalizePathPart = (part) =>
    HAS_CAPITALS.test(part) ? `Cased${part.replace(/[^0-9A-Za-z]/g, '')}` : usual(part);
}

// Parameters are not part of a caller's path.
const HAS_CAPITALS = /^[^{]*[A-Z]/;

const LOG_GROUP = 'AWS::Logs::LogGroup';

/**
 * Has all functions of the service write to one log group. The framework makes one for each, and a stack holds 500
 * resources. The names of the streams begin with that of their function.
 */
function shareLogGroup({ service: { functions, provider } }: Framework): void {
  const resources = provider.compiledCloudFormationTemplate?.Resources ?? {};
  const groups = Object.entries(resources).filter(([, { Type }]) => Type === LOG_GROUP);
  const [first] = Object.entries(functions);
  const [, ofFirst] = groups[0] ?? [];
  if (!first || !ofFirst) return;
  const { service } = placeOf(...first);
  const id = `${logicalPrefix(service)}LogGroup`;
  const replaced = new Set(groups.map(([name]) => name));
  for (const name of replaced) delete resources[name];
  const LogGroupName = `/aws/lambda/sinete-${provider.stage}-${service}`;
  resources[id] = { ...ofFirst, Properties: { ...ofFirst.Properties, LogGroupName } };
  for (const resource of Object.values(resources)) {
    if (resource.DependsOn === undefined) continue;
    const names = [resource.DependsOn].flat().map((name) => (replaced.has(name) ? id : name));
    resource.DependsOn = [...new Set(names)];
    if (resource.Type === 'AWS::Lambda::Function')
      resource.Properties = { ...resource.Properties, LoggingConfig: { LogGroup: { Ref: id } } };
  }
}
