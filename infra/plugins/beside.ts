import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manual } from '../../shared/settings/settings.ts';
import { tags } from '../resources.ts';
import { engineOf } from '../stack/engine-of.ts';
import { type Framework, placeOf } from './framework.ts';

/** Stops the deploy of a service that works on the stores of another one, where the stage has no such stack. */
export async function requireEngineStack(framework: Framework): Promise<void> {
  const { functions, provider } = framework.service;
  const [first] = Object.entries(functions);
  const service = first ? placeOf(...first).service : '';
  const engine = engineOf(service);
  if (engine === undefined) return;
  const StackName = `sinete-${provider.stage}-${engine}`;
  try {
    await framework.getProvider('aws').request('CloudFormation', 'describeStacks', { StackName });
  } catch (error) {
    if (!/does not exist/.test((error as Error).message)) throw error;
    throw new Error(
      `${service} works on the table, bucket and queues of ${engine}, and stage ${provider.stage} has no stack ${StackName}. Deploy ${engine} first: --param="service=${engine}".`,
    );
  }
}

/** Of all services, and so of no engine: what one seals the other opens. */
const RING = 'Sealing:Keys';

type Deployment = { readonly stage: string; readonly service: string };

/**
 * Why a service and its engine would not work alike, in one line: each has a file of settings of its own, and they
 * differ in a setting of the domain. Undefined if they would.
 */
export function whyNotAlike(
  root: string,
  { stage, service }: Deployment,
  manuals: readonly Manual[],
): string | undefined {
  const engine = engineOf(service);
  const own = engine && settingsFile(root, stage, service);
  const other = engine && settingsFile(root, stage, engine);
  if (!own || !other || own === other) return undefined;
  const [ours, theirs] = [readSettings(root, own), readSettings(root, other)];
  const tableOf = (owner: string) => manuals.find((manual) => manual.owner === owner)?.table ?? {};
  const differing = [...Object.keys(tableOf(engine)), RING]
    // A setting of the same name at the service is its own.
    .filter((name) => !(name in tableOf(service)))
    .map((name) => name.replaceAll(':', '__'))
    // As they are written: a secret is named in both by the same expression.
    .find((name) => settingIn(ours, engine, name) !== settingIn(theirs, engine, name));
  return differing === undefined
    ? undefined
    : `${own} and ${other} differ in ${differing}. ${service} works on the stores of ${engine}: both must set it alike.`;
}

/** As serverless.yml finds it: that of the service, or else that of all. */
export const settingsFile = (root: string, stage: string, service: string): string => {
  const own = `settings.${stage}.${service}.yml`;
  return existsSync(join(root, own)) ? own : `settings.${stage}.yml`;
};

type Given = Readonly<Record<string, unknown>>;

/** The settings of a file as they are written, with names of values in place of them. None where there is no file. */
export const readSettings = (root: string, file: string): Given =>
  existsSync(join(root, file))
    ? (parse(readFileSync(join(root, file), 'utf8'), { customTags: tags }) ?? {})
    : {};

const settingIn = (given: Given, engine: string, name: string): string | undefined =>
  JSON.stringify(given[`${engine}__${name}`] ?? given[name])?.replaceAll('"', '');
