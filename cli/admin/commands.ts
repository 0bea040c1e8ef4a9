import {
  AdminRefusal,
  createApplication,
  expireKey,
  findApplication,
  grantPermission,
  issueKey,
  listApplications,
  registerValue,
  revokeKey,
  revokePermission,
  setDisabled,
  unregisterValue,
} from '../../shared/access/administration.ts';
import type { ApiKey, Application } from '../../shared/access/applications.ts';
import { didYouMean } from '../../shared/command-line/nearest.ts';
import type { ServiceName } from '../../shared/settings/names.ts';
import { parseTime } from '../arguments/time.ts';
import type { PinSource } from '../terminal/pin.ts';
import type { HubValues } from './hub-options.ts';
import type { InstallationValues } from './installation-options.ts';
import { checkKind, checkPermission, checkValue, defaultPermissions } from './kinds.ts';
import type { ShareValues } from './share-options.ts';
import type { UniversityValues } from './university-options.ts';

export type Options = {
  readonly service: ServiceName;
  readonly permissions: readonly string[];
  readonly expires: string | undefined;
  readonly identifier: string | undefined;
  readonly owner: string | undefined;
  readonly cpf?: string | undefined;
  readonly pin: PinSource;
  readonly hub?: HubValues;
  readonly shares?: ShareValues;
  readonly university?: UniversityValues;
  readonly dryRun?: boolean | undefined;
  /** The stage that a backup is restored into. */
  readonly into?: string | undefined;
  readonly installation?: InstallationValues;
};

/** A command of the table below. */
type Command = {
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

const command = (words: readonly string[], run: Run): Command => ({ words, run });
const commandOf =
  (only: NonNullable<Command['only']>) =>
  (words: readonly string[], run: Run): Command => ({ words, run, only });
const [sessionCommand, pkiCommand, hubCommand, batchCommand, credentialsCommand, installationCommand] = [
  commandOf('session'),
  commandOf('pki'),
  commandOf('hub'),
  commandOf('batch'),
  commandOf('credentials'),
  commandOf('installation'),
];

export const COMMANDS: Readonly<Record<string, Command>> = {
  'apps create': command(['NAME'], async ({ service, permissions }, name = '') => {
    const granted = permissions.length > 0 ? permissions : defaultPermissions(service);
    await createApplication(service, { name, permissions: granted });
    return `Created ${name} in ${service}. Issue its first key: npm run admin -- keys issue ${name} --service ${service}`;
  }),
  'apps list': command([], async ({ service }) => {
    const all = await listApplications(service);
    return all.length > 0
      ? all.map(applicationLine).join('\n')
      : `The ${service} service has no applications.`;
  }),
  'apps disable': command(['NAME'], async ({ service }, name = '') => {
    await setDisabled(service, name, true);
    return `Disabled ${name} in ${service}: its keys are refused.`;
  }),
  'apps enable': command(['NAME'], async ({ service }, name = '') => {
    await setDisabled(service, name, false);
    return `Enabled ${name} in ${service}.`;
  }),
  'apps register': command(
    ['NAME', 'KIND', 'VALUE'],
    async ({ service }, name = '', kind = '', value = '') => {
      await checkValue(service, kind, value);
      await registerValue(service, name, kind, value);
      return `Registered ${value} as one of the ${kind} of ${name} in ${service}.`;
    },
  ),
  'apps unregister': command(
    ['NAME', 'KIND', 'VALUE'],
    async ({ service }, name = '', kind = '', value = '') => {
      checkKind(service, kind);
      await unregisterValue(service, name, kind, value);
      return `${value} is no longer one of the ${kind} of ${name} in ${service}.`;
    },
  ),
  'apps permit': command(['NAME', 'PERMISSION'], async ({ service }, name = '', permission = '') => {
    checkPermission(service, permission);
    await grantPermission(service, name, permission);
    return `${name} has the permission ${permission} in ${service}.`;
  }),
  'apps forbid': command(['NAME', 'PERMISSION'], async ({ service }, name = '', permission = '') => {
    if (!(await revokePermission(service, name, permission)))
      throw new AdminRefusal(`${name} has no permission "${permission}" in ${service}. See: apps list`);
    return `${name} no longer has the permission ${permission} in ${service}.`;
  }),
  'keys issue': command(['NAME'], async ({ service, expires }, name = '') => {
    const expiresAt = expires === undefined ? undefined : parseTime(expires);
    if (expiresAt && Date.parse(expiresAt) <= Date.now()) {
      throw new AdminRefusal(
        `A key that expires at ${expiresAt} would never be accepted. Name a time in the future.`,
      );
    }
    const { text, key } = await issueKey(service, name, expiresAt ? { expiresAt } : {});
    const end = expiresAt ? `expires at ${expiresAt}` : 'does not expire';
    return `${text}\n\nThis is key ${key.id} of ${name} in ${service}; it ${end}. It is shown now and never again.`;
  }),
  'keys list': {
    ...command(['NAME'], async ({ service }, name = '') => {
      const { keys } = await findApplication(service, name);
      return keys.length > 0 ? keys.map(keyLine).join('\n') : `${name} has no keys in ${service}.`;
    }),
    // Those of no application are the keys that seal.
    bare: installationCommand([], async () => (await import('../keys/commands.ts')).listKeys()),
  },
  'keys create': {
    ...installationCommand([], async ({ installation = {} }) =>
      (await import('../keys/commands.ts')).createRing(installation.to),
    ),
    offline: true,
  },
  'keys rotate': installationCommand([], async () => (await import('../keys/commands.ts')).rotateKeys()),
  'keys retire': installationCommand(['ID'], async (_, id = '') =>
    (await import('../keys/commands.ts')).retireKey(id),
  ),
  'keys revoke': command(['NAME', 'KEY'], async ({ service }, name = '', id = '') => {
    await revokeKey(service, name, id, Date.now());
    return `Revoked key ${id} of ${name} in ${service}.`;
  }),
  'keys expire': command(['NAME', 'KEY'], async ({ service, expires }, name = '', id = '') => {
    const at = parseTime(expires ?? '0d');
    await expireKey(service, name, id, at);
    return `Key ${id} of ${name} in ${service} expires at ${at}.`;
  }),
  // Loaded when it runs: the domain of a platform is more than all other commands need.
  'organizations create': command(['NAME'], async (options, name = '') =>
    options.service === 'credentials'
      ? (await import('./universities.ts')).addUniversity(name, options.university ?? {})
      : (await import('./organizations.ts')).addOrganization(options, name),
  ),
  'organizations list': command([], async (options) =>
    options.service === 'credentials'
      ? (await import('./universities.ts')).listUniversities()
      : (await import('./organizations.ts')).list(options),
  ),
  'organizations delete': command(['ID'], async (options, id = '') =>
    options.service === 'credentials'
      ? (await import('./universities.ts')).removeUniversity()
      : (await import('./organizations.ts')).remove(options, id),
  ),
  'institutes create': credentialsCommand(['NAME'], async ({ university = {} }, name = '') =>
    (await import('./universities.ts')).addInstitute(name, university),
  ),
  'institutes list': credentialsCommand([], async ({ university = {} }) =>
    (await import('./universities.ts')).listInstitutes(university),
  ),
  'institutes signers': credentialsCommand(['ID'], async ({ university = {} }, id = '') =>
    (await import('./universities.ts')).setSigners(id, university),
  ),
  'queues list': commandOf('any')([], async (options) => (await import('./queues.ts')).listQueues(options)),
  'queues redrive': commandOf('any')(['QUEUE'], async (options, queue = '') =>
    (await import('./queues.ts')).redrive(options, queue),
  ),
  'agents code': sessionCommand([], async (options) => (await import('./session.ts')).createCode(options)),
  'agents list': sessionCommand([], async () => (await import('./session.ts')).listAgents()),
  'agents disable': sessionCommand(['AGENT'], async (_, id = '') =>
    (await import('./session.ts')).disableAgent(id),
  ),
  'vault import': sessionCommand(['FILE'], async ({ pin }, file = '') =>
    (await import('./session.ts')).importCertificate(file, pin),
  ),
  'vault list': sessionCommand(['CPF'], async (_, cpf = '') =>
    (await import('./session.ts')).listCertificates(cpf),
  ),
  'vault remove': sessionCommand(['CPF', 'CERTIFICATE'], async (_, cpf = '', id = '') =>
    (await import('./session.ts')).removeCertificate(cpf, id),
  ),
  'audit show': sessionCommand(['DAY'], async ({ cpf }, day = '') =>
    (await import('./session.ts')).showAudit(day, cpf),
  ),
  'faces list': pkiCommand(['APPLICATION'], async (_, application = '') =>
    (await import('./faces.ts')).showFaces(application),
  ),
  'faces delete': pkiCommand(['APPLICATION', 'FACE'], async (_, application = '', face = '') =>
    (await import('./faces.ts')).deleteFace(application, face),
  ),
  'hub providers add': hubCommand(['NAME'], async ({ hub = {} }, name = '') =>
    (await import('./hub.ts')).addHubProvider(name, hub),
  ),
  'hub providers list': hubCommand([], async () => (await import('./hub.ts')).listHubProviders()),
  'hub providers show': hubCommand(['NAME'], async (_, name = '') =>
    (await import('./hub.ts')).showHubProvider(name),
  ),
  'hub providers test': hubCommand(['NAME'], async ({ hub = {} }, name = '') =>
    (await import('./hub-test.ts')).testProvider(name, hub),
  ),
  'hub providers remove': hubCommand(['NAME'], async (_, name = '') =>
    (await import('./hub.ts')).removeHubProvider(name),
  ),
  'profiles list': batchCommand([], async () => (await import('./profiles.ts')).list()),
  'profiles show': batchCommand(['NAME'], async (_, name = '') => (await import('./profiles.ts')).show(name)),
  'profiles put': batchCommand(['FILE'], async (_, file = '') => (await import('./profiles.ts')).put(file)),
  'profiles enable': batchCommand(['NAME'], async (_, name = '') =>
    (await import('./profiles.ts')).enable(name),
  ),
  'profiles disable': batchCommand(['NAME'], async (_, name = '') =>
    (await import('./profiles.ts')).disable(name),
  ),
  'profiles default': batchCommand(['NAME'], async (_, name = '') =>
    (await import('./profiles.ts')).makeDefault(name),
  ),
  'profiles remove': batchCommand(['NAME'], async (_, name = '') =>
    (await import('./profiles.ts')).remove(name),
  ),
  'profiles key': batchCommand(['NAME', 'FILE'], async ({ pin }, name = '', file = '') =>
    (await import('./profiles.ts')).key(name, file, pin),
  ),
  'approvers list': batchCommand([], async () => (await import('./approvers.ts')).list()),
  'approvers link': batchCommand(['ADDRESS'], async (_, address = '') =>
    (await import('./approvers.ts')).link(address),
  ),
  'approvers reset-second-factor': batchCommand(['ADDRESS'], async (_, address = '') =>
    (await import('./approvers.ts')).resetFactor(address),
  ),
  'backup list': batchCommand([], async () => (await import('./backup.ts')).list()),
  'backup verify': batchCommand(['ID'], async (_, id = '') => (await import('./backup.ts')).verify(id)),
  'backup restore': batchCommand(['ID'], async ({ into }, id = '') =>
    (await import('./backup.ts')).restore(id, into),
  ),
  backup: {
    ...installationCommand([], async ({ installation = {} }) =>
      (await import('./installation.ts')).backUpInstallation(installation),
    ),
    offline: true,
  },
  restore: {
    ...installationCommand([], async ({ installation = {}, dryRun }) =>
      (await import('./installation.ts')).restoreInstallation(installation, dryRun),
    ),
    offline: true,
  },
  export: installationCommand([], async ({ installation = {} }) =>
    (await import('./transfer.ts')).exportInstallation(installation),
  ),
  import: installationCommand([], async ({ installation = {} }) =>
    (await import('./transfer.ts')).importInstallation(installation),
  ),
  'shares add': batchCommand(['NAME'], async ({ shares = {} }, name = '') =>
    (await import('./shares.ts')).add(name, shares),
  ),
  'shares list': batchCommand([], async () => (await import('./shares.ts')).list()),
  'shares test': batchCommand(['NAME'], async (_, name = '') => (await import('./shares.ts')).test(name)),
  'shares remove': batchCommand(['NAME'], async ({ shares = {} }, name = '') =>
    (await import('./shares.ts')).remove(name, shares),
  ),
};

function applicationLine({ name, disabled, keys, permissions, registered }: Application): string {
  const kinds = Object.entries(registered).map(([kind, values]) => `${kind}: ${values.join(', ')}`);
  const facts = [
    `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`,
    `permissions ${permissions.join(', ') || 'none'}`,
    ...kinds,
  ];
  return `${name}${disabled ? ' (disabled)' : ''}: ${facts.join('; ')}`;
}

function keyLine({ id, issuedAt, expiresAt, revokedAt }: ApiKey): string {
  const end = revokedAt ? `revoked ${revokedAt}` : expiresAt ? `expires ${expiresAt}` : 'does not expire';
  return `${id}  issued ${issuedAt}  ${end}`;
}

function unknownCommand(words: readonly string[]): string {
  const known = Object.keys(COMMANDS);
  const [hint = ''] = [3, 2, 1]
    .map((length) => didYouMean(words.slice(0, length).join(' '), known))
    .filter((text) => text !== '');
  return `There is no command "${words.slice(0, 2).join(' ')}".${hint} See: npm run admin`;
}

/** A command that was found, with the words after its name. */
export type Found = Pick<Command, 'run'> & {
  readonly rest: readonly string[];
  readonly only: Command['only'];
  readonly offline: boolean;
};

/** Finds a command by its first words, three at most. */
export function commandFor(words: readonly string[]): Found {
  const name = [3, 2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .find((each) => Object.hasOwn(COMMANDS, each));
  const named = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || !named) throw new AdminRefusal(unknownCommand(words));
  const rest = words.slice(name.split(' ').length);
  const found = rest.length === 0 && named.bare ? named.bare : named;
  if (rest.length !== found.words.length) {
    const service = found.only && found.only !== 'any' ? [] : ['--service SERVICE'];
    // A word of another command's name: backup list.
    if (found.only === 'installation' && !name.includes(' ')) throw new AdminRefusal(unknownCommand(words));
    const usage = ['npm run admin --', name, ...found.words, ...service].join(' ');
    throw new AdminRefusal(`Usage: ${usage}`);
  }
  return { run: found.run, rest, only: found.only, offline: found.offline ?? false };
}
