import type { ServiceName } from '../../shared/settings/names.ts';
import type { PinSource } from '../terminal/pin.ts';
import type { CalloutValues } from './callouts.ts';
import type { HubValues } from './hub/options.ts';
import type { InstallationValues } from './installation/options.ts';
import type { ShareValues } from './shares/options.ts';
import type { UniversityValues } from './universities/options.ts';

export type Options = {
  readonly service: ServiceName;
  readonly permissions: readonly string[];
  readonly expires: string | undefined;
  readonly identifier: string | undefined;
  readonly owner: string | undefined;
  readonly cpf?: string | undefined;
  readonly pin: PinSource;
  readonly hub?: HubValues;
  readonly callouts?: CalloutValues;
  readonly shares?: ShareValues;
  readonly university?: UniversityValues;
  readonly dryRun?: boolean | undefined;
  /** The stage that a backup is restored into. */
  readonly into?: string | undefined;
  readonly installation?: InstallationValues;
};

/** A command of the table. */
export type Command = {
  /** The arguments after its name. */
  readonly words: readonly string[];
  /** Does it, and gives the text to print. */
  readonly run: Run;
  /**
   * Its service, where there is only one; `any` may act on every service; `installation` acts on all as one.
   * Otherwise `--service` names them.
   */
  readonly only?: ServiceName | 'any' | 'installation';
  /** Whether it works on files alone, and the stores need not be reached. */
  readonly offline?: boolean;
  /** The command by this name without a word after it, where that is another one. */
  readonly bare?: Command;
};
type Run = (options: Options, ...words: string[]) => Promise<string>;

export const command = (words: readonly string[], run: Run): Command => ({ words, run });
export const commandOf =
  (only: NonNullable<Command['only']>) =>
  (words: readonly string[], run: Run): Command => ({ words, run, only });

export const installationCommand = commandOf('installation');
