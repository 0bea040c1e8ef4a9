import type { Setting } from './kinds.ts';
import { namedValue, sourceOf } from './named-values.ts';
import { isLocal, type ServiceName } from './names.ts';

type Table = Record<string, Setting<unknown>>;
type Values<T extends Table> = { readonly [Name in keyof T]: T[Name] extends Setting<infer V> ? V : never };

/** Returns the problem with the values taken together, or undefined. */
type Rule<T extends Table> = (values: Values<T>) => string | undefined;

/** The settings of one service: read one by its specified name, or check and list them all. */
export type Settings<T extends Table = Table> = Values<T> & { readonly [MANUAL]: Manual };

/** A service, or `common` for the settings that all services share. */
type SettingsOwner = ServiceName | 'common';

/** The list that `npm run settings` prints and the start checks. */
export type Manual = {
  readonly owner: SettingsOwner;
  readonly table: Table;
  /** Whether a value is given or named, be it for other functions alone. */
  readonly isSet: (name: string) => boolean;
  /** As it is set: the value, or where it is kept. */
  readonly given: (name: string) => string | undefined;
  /**
   * Throws an error of one line that names the first wrong value, missing setting or rule. The values of `unreadable`
   * variables are known only when deployed: they count as set, and rules of a table with one are left to the start.
   */
  readonly check: (unreadable?: ReadonlySet<string>) => void;
  /** A line for each wrong value and missing setting; where there is none, for each rule that does not hold. */
  readonly problems: (unreadable?: ReadonlySet<string>) => string[];
};

export const MANUAL: unique symbol = Symbol('manual');

const MEND = 'Store the value there, or name where it is.';

const variableName = (name: string): string => name.replaceAll(':', '__');

/**
 * Declares a service's settings. `Signing:MaxDocumentBytes` is read from `Signing__MaxDocumentBytes`;
 * `session__Signing__MaxDocumentBytes` overrides it for one service on a machine that runs several.
 * Values are read at each access, so a changed environment takes effect.
 * @example const settings = defineSettings('session', { 'Vault:Enabled': flag(true, 'Vault custody.') });
 *          settings['Vault:Enabled'] // boolean
 */
export function defineSettings<const T extends Table>(
  owner: SettingsOwner,
  table: T,
  rules: readonly Rule<T>[] = [],
): Settings<T> {
  const parsed = new Map<string, { text: string; value: unknown }>();

  // Made once: a request reads some twenty settings.
  const variables = new Map(
    Object.keys(table).map((name) => {
      const shared = variableName(name);
      return [name, { own: `${owner}__${shared}`, shared }];
    }),
  );
  const givenOf = (name: string): string | undefined => {
    const { own = '', shared = '' } = variables.get(name) ?? {};
    return process.env[own] ?? process.env[shared];
  };
  const textOf = (name: string): string | undefined => {
    const given = givenOf(name);
    if (given === undefined || sourceOf(given) === undefined) return given;
    try {
      return namedValue(given);
    } catch (error) {
      throw new Error(
        `Setting ${name} (${variableName(name)}) names ${given}, ${(error as Error).message}. ${MEND}`,
      );
    }
  };

  const read = (name: string): unknown => {
    const setting = table[name] as Setting<unknown>;
    const text = textOf(name);
    if (text === undefined) return setting.default;
    const known = parsed.get(name);
    if (known?.text === text) return known.value;
    const isShown = !setting.secret && text === givenOf(name);
    const value = parse(name, setting, text, isShown);
    parsed.set(name, { text, value });
    return value;
  };

  const values = {} as Values<T>;
  for (const name of Object.keys(table)) {
    Object.defineProperty(values, name, { enumerable: true, get: () => read(name) });
  }
  const problemOf = (name: string, { requiredWhenDeployed }: Setting<unknown>): string[] => {
    try {
      read(name);
    } catch (error) {
      return [(error as Error).message];
    }
    return requiredWhenDeployed !== undefined && !isLocal() && !textOf(name)?.trim()
      ? [`Setting ${name} (${variableName(name)}) is not set: ${requiredWhenDeployed}`]
      : [];
  };
  const problems = (unreadable: ReadonlySet<string> = new Set()): string[] => {
    const isReadable = (name: string): boolean =>
      !unreadable.has(variableName(name)) &&
      !unreadable.has(`${owner}__${variableName(name)}`) &&
      sourceOf(givenOf(name) ?? '') !== 'withheld';
    const found = Object.entries(table)
      .filter(([name]) => isReadable(name))
      .flatMap(([name, setting]) => problemOf(name, setting));
    // A rule reads values that may be wrong or unknown.
    if (found.length > 0 || !Object.keys(table).every(isReadable)) return found;
    return rules.flatMap((rule) => rule(values) ?? []);
  };
  const check = (unreadable?: ReadonlySet<string>): void => {
    const [first] = problems(unreadable);
    if (first !== undefined) throw new Error(first);
  };
  const isSet = (name: string): boolean => (givenOf(name) ?? '').trim() !== '';
  const manual: Manual = { owner, table, isSet, given: givenOf, check, problems };
  return Object.defineProperty(values, MANUAL, { value: manual }) as Settings<T>;
}

function parse(name: string, setting: Setting<unknown>, text: string, isShown: boolean): unknown {
  try {
    return setting.parse(text.trim());
  } catch (error) {
    const shown = isShown ? `"${text}"` : 'the value given';
    throw new Error(`Setting ${name} (${variableName(name)}) ${(error as Error).message}; ${shown} is not.`);
  }
}
