import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { didYouMean } from '../../shared/command-line/nearest.ts';
import { KMS_KEY } from '../../shared/settings/kinds.ts';

/** Parameters of a deployment, `--param name=value`. What costs or changes how data is kept is off unless it is given. */
export const PARAMETERS = {
  reservedConcurrency: { form: /^[1-9]\d{0,3}$/, must: 'a whole number from 1 to 9999' },
  logRetentionInDays: {
    form: /^[1-9]\d{0,3}$/,
    must: 'a number of days that CloudWatch Logs knows, such as 365',
  },
  deletionProtection: { form: /^(true|false)$/, must: 'true or false' },
  kmsKey: KMS_KEY,
  backupDays: { form: /^[1-9]\d{0,3}$/, must: 'a whole number of days from 1 to 9999' },
  objectLockDays: { form: /^[1-9]\d{0,4}$/, must: 'a whole number of days from 1 to 99999' },
  webAcl: {
    form: /^arn:[^:]+:wafv2:[^:]+:\d{12}:regional\/webacl\/.+$/,
    must: 'the ARN of a regional web ACL of WAFv2',
  },
  subnets: { form: /^subnet-\w+(,subnet-\w+)*$/, must: 'ids of subnets, with commas between them' },
  securityGroups: { form: /^sg-\w+(,sg-\w+)*$/, must: 'ids of security groups, with commas between them' },
  canary: {
    form: /^(Canary10Percent(5|10|15|30)Minutes|Linear10PercentEvery(1Minute|2Minutes|3Minutes|10Minutes))$/,
    must: 'a way of CodeDeploy, such as Canary10Percent5Minutes or Linear10PercentEvery1Minute',
  },
  alarmTopic: { form: /^arn:[^:]+:sns:[^:]+:\d{12}:.+$/, must: 'the ARN of an SNS topic' },
} as const satisfies Record<string, { readonly form: RegExp; readonly must: string }>;

export type ParameterName = keyof typeof PARAMETERS;
export type Parameters = { readonly [name in ParameterName]?: string };

/** The one that names the service to the framework. */
const SERVICE = 'service';

/** Why the parameters cannot be used, a line for each problem; none if they can. */
export function parameterProblems(given: Readonly<Record<string, string>>): string[] {
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (name === SERVICE) return [];
    const known = (PARAMETERS as Record<string, { form: RegExp; must: string }>)[name];
    if (!known)
      return [`There is no parameter ${name}.${didYouMean(name, Object.keys(PARAMETERS))} See docs/aws.md.`];
    return known.form.test(value) ? [] : [`Parameter ${name} must be ${known.must}; "${value}" is not.`];
  });
  if ('subnets' in given !== 'securityGroups' in given)
    problems.push('Parameters subnets and securityGroups belong together: give both or none.');
  return problems;
}

/** `name=value` as the command line has it. @example readParameters(['kmsKey=arn:aws:kms:…']) // { kmsKey: 'arn:aws:kms:…' } */
export const readParameters = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(given.map((each) => each.split(/=(.*)/s, 2) as [string, string]));

/** The file that has the parameters of a stage, beside its settings: a deploy that forgot one would take it back. */
export const parametersFile = (stage: string): string => `parameters.${stage}.yml`;

/**
 * The parameters of a stage: those of its file, and those of the command line, which count more.
 * @example stageParameters(root, 'prod', ['canary=Canary10Percent5Minutes'])
 */
export function stageParameters(
  root: string,
  stage: string,
  given: readonly string[],
): Record<string, string> {
  const path = join(root, parametersFile(stage));
  const kept: Record<string, unknown> = existsSync(path) ? (parse(readFileSync(path, 'utf8')) ?? {}) : {};
  const texts = Object.entries(kept).map(([name, value]) => [name, String(value)]);
  const all = { ...Object.fromEntries(texts), ...readParameters(given) };
  const problems = parameterProblems(all);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return all;
}
