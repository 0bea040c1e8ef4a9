// What serverless.yml and functions/*/functions.yml declare, as serverless-offline takes it from the framework.
import { join } from 'node:path';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { answerEveryMethod } from '../../plugins/every-method.ts';
import { foldPaths } from '../../plugins/fold-paths.ts';
import type { FunctionConfig, Functions } from '../../plugins/framework.ts';
import { leaveToTheEngine } from '../../plugins/leave-to-engine.ts';
import { readYaml } from '../../resources.ts';

type Declared = {
  readonly service: string;
  readonly provider: Record<string, unknown>;
  readonly custom: Record<string, unknown>;
};

/** Only the framework reads variables. The one that is declared, of what a deployment reserves, means nothing here. */
function requireNoVariable(
  key: string,
  { reservedConcurrency: _unused, ...used }: Record<string, unknown>,
): void {
  const [variable] = JSON.stringify(used).match(/\$\{[^}]*\}/) ?? [];
  if (variable !== undefined)
    throw new Error(`Function ${key}: the local engine does not read ${variable}. Write its value.`);
}

type DeclaredFunction = { readonly key: string; readonly definition: Record<string, unknown> };

/** @example declaredService(root, readFunctions(root)).getAllFunctions() // ['batchApprovals', …] */
export function declaredService(root: string, declared: readonly DeclaredFunction[]) {
  const { service, provider, custom } = readYaml<Declared>(join(root, 'serverless.yml'));
  const functions: Functions = Object.fromEntries(
    declared.map(({ key, definition }) => {
      requireNoVariable(key, definition);
      const { events = [], ...rest } = definition as FunctionConfig;
      return [key, { ...rest, events, name: `${service}-${LOCAL_STAGE}-${key}` }];
    }),
  );
  foldPaths(functions);
  answerEveryMethod(functions);
  leaveToTheEngine(functions);
  return {
    service,
    // The settings of a deployment. Here they are in the environment of the process.
    provider: { ...provider, stage: LOCAL_STAGE, region: process.env.AWS_REGION, environment: {} },
    custom,
    functions,
    getAllFunctions: () => Object.keys(functions),
    getFunction: (key: string) => functions[key],
    getAllEventsInFunction: (key: string) => functions[key]?.events,
  };
}
