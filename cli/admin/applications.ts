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
import { parseTime } from '../arguments/time.ts';
import { type Command, command, installationCommand } from './command.ts';
import { checkKind, checkPermission, checkValue, defaultPermissions } from './kinds.ts';

/** Applications and their keys; and, where no application is named, the keys that seal. */
export const APPLICATION_COMMANDS = {
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
} satisfies Readonly<Record<string, Command>>;

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
