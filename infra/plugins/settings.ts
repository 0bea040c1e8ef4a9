import { checkAllSettings, settingVariables } from '../settings.ts';
import type { Framework } from './framework.ts';
import { whyNotTrusted } from './trust.ts';

/**
 * Checks the stage's settings file against the services' settings before anything is deployed: a wrong value or a
 * misspelt name would otherwise be found by a function in production, or by nobody.
 */
export async function checkStageSettings({ service: { provider }, serviceDir }: Framework): Promise<void> {
  const given = Object.entries(provider.environment ?? {});
  const known = await settingVariables();
  const unknown = given.find(([name]) => name.includes('__') && !known.has(name));
  if (unknown) {
    throw new Error(
      `The settings of stage ${provider.stage} name ${unknown[0]}, which is no setting. npm run settings lists them.`,
    );
  }
  for (const [name, value] of given) {
    // Only CloudFormation knows the value of an expression.
    if (typeof value !== 'object') process.env[name] = String(value);
  }
  await checkAllSettings();
  const why = whyNotTrusted(provider.environment ?? {}, serviceDir);
  if (why) throw new Error(why);
}
