import { sourceOf, WITHHELD } from '../../shared/settings/named-values.ts';
import { LOCAL_STAGE } from '../../shared/settings/names.ts';
import type { Manual } from '../../shared/settings/settings.ts';
import { workersOf } from '../queue-workers.ts';
import { manuals, manualsOf, variablesOf } from '../settings.ts';
import { allowUploadOrigins } from '../stack/cors.ts';
import { whyNotAlike } from './beside.ts';
import type { Framework, Functions } from './framework.ts';
import { permitReading, requireNamed, withhold } from './secrets.ts';
import { whyNotTrusted } from './trust.ts';

/**
 * Gives the functions of a service the stage's settings that the service reads, and no others: a function has the
 * secrets of no other service. A wrong value, a misspelt name or a missing setting stops here, before anything is
 * deployed: otherwise a function would find it in production, or nobody.
 */
export async function applyStageSettings(framework: Framework, service: string): Promise<void> {
  const { provider, resources } = framework.service;
  const given = Object.entries(provider.environment ?? {});
  const [all, own] = [variablesOf(await manuals()), await manualsOf(service)];
  const unknown = given.find(([name]) => isSetting(name) && !all.has(name));
  if (unknown) {
    throw new Error(
      `The settings of stage ${provider.stage} name ${unknown[0]}, which is no setting. npm run settings lists them.`,
    );
  }
  const read = variablesOf(own);
  provider.environment = Object.fromEntries(given.filter(([name]) => !isSetting(name) || read.has(name)));

  requireNamed(own, provider.stage, provider.environment);
  checkAsDeployed(own, provider.stage, setOnly(provider.environment, all));
  const why =
    whyNotTrusted(provider.environment, framework.serviceDir) ??
    whyNotAlike(framework.serviceDir, { stage: provider.stage, service }, own);
  if (why) throw new Error(why);
  allowUploadOrigins(resources?.Resources ?? {});
  permitReading(resources?.Resources ?? {}, provider.environment, provider.stage);
  withhold(framework.service.functions, provider.environment);
  limitWorkers(framework.service.functions);
}

/** Lambda's least. */
const MIN_WORKERS = 2;

function limitWorkers(functions: Functions): void {
  for (const [key, { events }] of Object.entries(functions)) {
    const workers = workersOf(key);
    if (workers === undefined) continue;
    for (const { sqs } of events)
      if (sqs) Object.assign(sqs, { maximumConcurrency: Math.max(MIN_WORKERS, workers) });
  }
}

// Variables of other programs, such as TZ, go to every function.
const isSetting = (name: string): boolean => name.includes('__');

/**
 * Makes this process see the settings that the functions will have, and none of its own shell. Answers the variables
 * that are expressions: only CloudFormation knows their values. Named values stay where they are.
 */
function setOnly(given: Readonly<Record<string, unknown>>, all: ReadonlySet<string>): ReadonlySet<string> {
  for (const name of all) delete process.env[name];
  const unreadable = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'object') unreadable.add(name);
    else process.env[name] = sourceOf(String(value)) ? WITHHELD : String(value);
  }
  return unreadable;
}

/** Only for the check: the packaging itself loads services, whose settings may be expressions. */
function checkAsDeployed(own: readonly Manual[], stage: string, unreadable: ReadonlySet<string>): void {
  const { STAGE = LOCAL_STAGE } = process.env;
  process.env.STAGE = stage;
  try {
    for (const { check } of own) check(unreadable);
  } finally {
    process.env.STAGE = STAGE;
  }
}
