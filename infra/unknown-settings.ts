import { settingVariables } from './settings.ts';

// As settings are written, first letters apart. Variables in capitals, and npm's own, are other programs'.
const LOOKS_LIKE_SETTING = /^(?!npm_)(?=.*[a-z])[A-Za-z][A-Za-z0-9]*(__[A-Za-z0-9]+)+$/;
// Set by the engine for its own commands.
const OF_THE_ENGINE = 'Local__DataDir';

/** A line for each variable that seems meant as a setting and is none: nobody reads it. */
export async function unknownSettings(env: NodeJS.ProcessEnv): Promise<string[]> {
  const known = await settingVariables();
  return Object.keys(env)
    .filter((name) => LOOKS_LIKE_SETTING.test(name) && name !== OF_THE_ENGINE && !known.has(name))
    .map((name) => {
      const meant = nearest(name, known);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `${name} is no setting, and changes nothing.${hint} npm run settings lists them.`;
    });
}

/** A slip of the finger or two. */
const MAX_SLIPS = 3;

function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  const near = [...known]
    .map((each) => ({ each, slips: slipsBetween(name.toLowerCase(), each.toLowerCase()) }))
    .toSorted((a, b) => a.slips - b.slips);
  return near[0] && near[0].slips <= MAX_SLIPS ? near[0].each : undefined;
}

/** How many letters must be added, left out or changed to come from one to the other. */
function slipsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let at = 1; at <= b.length; at++) {
      const changed = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      here.push(Math.min(changed, (above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1));
    }
    above = here;
  }
  return above[b.length] ?? 0;
}
