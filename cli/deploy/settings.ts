import { readSettings, settingsFile } from '../../infra/plugins/beside.ts';
import { manualsOf, requiredVariablesOf, variablesOf } from '../../infra/settings.ts';

/** The settings of a stage that a service must have and does not, a line for each. */
export async function missingSettings(root: string, stage: string, service: string): Promise<string[]> {
  const file = settingsFile(root, stage, service);
  const given = readSettings(root, file);
  return (await requiredVariablesOf(service))
    .filter((name) => given[name] === undefined && given[`${service}__${name}`] === undefined)
    .map((name) => `${file} has no ${name}, which ${service} needs: see step 2 of docs/aws.md.`);
}

/** The settings of a stage that a service reads, as its file has them. */
export async function givenSettings(
  root: string,
  stage: string,
  service: string,
): Promise<Record<string, unknown>> {
  const read = variablesOf(await manualsOf(service));
  const given = readSettings(root, settingsFile(root, stage, service));
  return Object.fromEntries(Object.entries(given).filter(([name]) => read.has(name)));
}
