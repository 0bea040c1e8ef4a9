import { didYouMean } from '../shared/command-line/nearest.ts';
import { settingVariables } from './settings.ts';

// The form of a setting, whatever its first letters. Variables in capitals, and npm's own, belong to other programs.
const LOOKS_LIKE_SETTING = /^(?!npm_)(?=.*[a-z])[A-Za-z][A-Za-z0-9]*(__[A-Za-z0-9]+)+$/;
// The engine sets it for its own commands.
const OF_THE_ENGINE = 'Local__DataDir';

/** A line for each variable that looks like a setting and is none: nobody reads it. */
export async function unknownSettings(env: NodeJS.ProcessEnv): Promise<string[]> {
  const known = await settingVariables();
  return Object.keys(env)
    .filter((name) => LOOKS_LIKE_SETTING.test(name) && name !== OF_THE_ENGINE && !known.has(name))
    .map(
      (name) =>
        `${name} is no setting, and changes nothing.${didYouMean(name, known)} npm run settings lists them.`,
    );
}
