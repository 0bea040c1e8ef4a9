import { AdminRefusal } from '../../shared/access/administration.ts';
import { didYouMean } from '../../shared/command-line/nearest.ts';
import { APPLICATION_COMMANDS } from './applications.ts';
import { type Command, command, commandOf, installationCommand } from './command.ts';

const [sessionCommand, pkiCommand, hubCommand, batchCommand, credentialsCommand] = [
  commandOf('session'),
  commandOf('pki'),
  commandOf('hub'),
  commandOf('batch'),
  commandOf('credentials'),
];

export const COMMANDS: Readonly<Record<string, Command>> = {
  ...APPLICATION_COMMANDS,
  // Loaded when it runs: the domain of a platform is more than all other commands need.
  'organizations create': command(['NAME'], async (options, name = '') =>
    options.service === 'credentials'
      ? (await import('./universities/universities.ts')).addUniversity(name, options.university ?? {})
      : (await import('./organizations.ts')).addOrganization(options, name),
  ),
  'organizations list': command([], async (options) =>
    options.service === 'credentials'
      ? (await import('./universities/universities.ts')).listUniversities()
      : (await import('./organizations.ts')).list(options),
  ),
  'organizations delete': command(['ID'], async (options, id = '') =>
    options.service === 'credentials'
      ? (await import('./universities/universities.ts')).removeUniversity()
      : (await import('./organizations.ts')).remove(options, id),
  ),
  'organizations seal': commandOf('documents')(['ID', 'FILE'], async ({ pin }, id = '', file = '') =>
    (await import('./organizations.ts')).seal(id, file, pin),
  ),
  'organizations reset-authenticator': commandOf('documents')(
    ['ID', 'PERSON'],
    async (_, id = '', who = '') => (await import('./organizations.ts')).resetAuthenticator(id, who),
  ),
  'organizations members': command(['ID'], async (options, id = '') =>
    (await import('./members.ts')).listOf(options, id),
  ),
  'organizations members add': command(
    ['ID', 'ADDRESS', 'ROLE', 'NAME'],
    async (options, id = '', email = '', role = '', name = '') =>
      (await import('./members.ts')).add(options, id, { email, role, name }),
  ),
  'organizations members role': command(
    ['ID', 'ADDRESS', 'ROLE'],
    async (options, id = '', email = '', role = '') =>
      (await import('./members.ts')).setRole(options, id, { email, role }),
  ),
  'organizations members remove': command(['ID', 'ADDRESS'], async (options, id = '', email = '') =>
    (await import('./members.ts')).remove(options, id, email),
  ),
  'institutes create': credentialsCommand(['NAME'], async ({ university = {} }, name = '') =>
    (await import('./universities/universities.ts')).addInstitute(name, university),
  ),
  'institutes list': credentialsCommand([], async ({ university = {} }) =>
    (await import('./universities/universities.ts')).listInstitutes(university),
  ),
  'institutes signers': credentialsCommand(['ID'], async ({ university = {} }, id = '') =>
    (await import('./universities/universities.ts')).setSigners(id, university),
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
  'vault judge': sessionCommand(['CPF'], async (_, cpf = '') =>
    (await import('./session.ts')).judgeCertificates(cpf),
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
  'callouts set': pkiCommand(
    ['APPLICATION', 'CALLOUT'],
    async ({ callouts = {} }, application = '', kind = '') =>
      (await import('./callouts.ts')).setCalloutOf(application, kind, callouts),
  ),
  'callouts list': pkiCommand(['APPLICATION'], async (_, application = '') =>
    (await import('./callouts.ts')).listCalloutsOf(application),
  ),
  'callouts remove': pkiCommand(['APPLICATION', 'CALLOUT'], async (_, application = '', kind = '') =>
    (await import('./callouts.ts')).removeCalloutOf(application, kind),
  ),
  'hub providers add': hubCommand(['NAME'], async ({ hub = {} }, name = '') =>
    (await import('./hub/hub.ts')).addHubProvider(name, hub),
  ),
  'hub providers list': hubCommand([], async () => (await import('./hub/hub.ts')).listHubProviders()),
  'hub providers show': hubCommand(['NAME'], async (_, name = '') =>
    (await import('./hub/hub.ts')).showHubProvider(name),
  ),
  'hub providers test': hubCommand(['NAME'], async ({ hub = {} }, name = '') =>
    (await import('./hub/hub-test.ts')).testProvider(name, hub),
  ),
  'hub providers remove': hubCommand(['NAME'], async (_, name = '') =>
    (await import('./hub/hub.ts')).removeHubProvider(name),
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
  'backup list': batchCommand([], async () => (await import('./installation/backup.ts')).list()),
  'backup verify': batchCommand(['ID'], async (_, id = '') =>
    (await import('./installation/backup.ts')).verify(id),
  ),
  'backup restore': batchCommand(['ID'], async ({ into }, id = '') =>
    (await import('./installation/backup.ts')).restore(id, into),
  ),
  backup: {
    ...installationCommand([], async ({ installation = {} }) =>
      (await import('./installation/installation.ts')).backUpInstallation(installation),
    ),
    offline: true,
  },
  restore: {
    ...installationCommand([], async ({ installation = {}, dryRun }) =>
      (await import('./installation/installation.ts')).restoreInstallation(installation, dryRun),
    ),
    offline: true,
  },
  export: installationCommand([], async ({ installation = {} }) =>
    (await import('./installation/transfer.ts')).exportInstallation(installation),
  ),
  import: installationCommand([], async ({ installation = {} }) =>
    (await import('./installation/transfer.ts')).importInstallation(installation),
  ),
  'shares add': batchCommand(['NAME'], async ({ shares = {} }, name = '') =>
    (await import('./shares/shares.ts')).add(name, shares),
  ),
  'shares list': batchCommand([], async () => (await import('./shares/shares.ts')).list()),
  'shares test': batchCommand(['NAME'], async (_, name = '') =>
    (await import('./shares/shares.ts')).test(name),
  ),
  'shares remove': batchCommand(['NAME'], async ({ shares = {} }, name = '') =>
    (await import('./shares/shares.ts')).remove(name, shares),
  ),
};

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
