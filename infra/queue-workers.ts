import { settings } from '../functions/batch/settings.ts';

/** The functions that take as many messages of their queue at once as a setting says: the rest would be turned away. */
const BY_SETTING = { batchProcessJobs: () => settings['Pipeline:MaxConcurrency'] };

/**
 * How many messages a function takes at once by a setting; undefined where none says so.
 * @example workersOf('sinete-prod-batchProcessJobs') // 32
 */
export function workersOf(functionName: string): number | undefined {
  const key = functionName.slice(functionName.lastIndexOf('-') + 1);
  return key in BY_SETTING ? BY_SETTING[key as keyof typeof BY_SETTING]() : undefined;
}
