import type { FieldProblem } from '../errors/errors.ts';
import type { ServiceName } from '../settings/names.ts';
import { collection, type Stored } from '../store/collection.ts';
import { eachItem } from '../store/cursor.ts';
import { AlreadyExists, RaceLost } from '../store/refusals.ts';
import { APPLICATION_NAME, type ApiKey, type Application, applications, newKey } from './applications.ts';

/** An operator's request that cannot be done. The message is for the operator. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
  /** The fields that do not hold, where it is about fields. */
  readonly fields: readonly FieldProblem[];

  constructor(message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.fields = fields;
  }
}

// Applications are read by name, one by one. This collection lists the names.
const roster = (service: ServiceName) =>
  collection<{ readonly name: string }, string>({
    service,
    name: 'application name',
    id: ({ name }) => name,
    key: (name) => ({ pk: ROSTER, sk: name }),
  });
const ROSTER = 'APPLICATIONS';

/** @example await createApplication('session', { name: 'acme', permissions: ['*'] }) */
export async function createApplication(
  service: ServiceName,
  { name, permissions, registered = {} }: Pick<Application, 'name' | 'permissions'> & Partial<Application>,
): Promise<void> {
  if (!APPLICATION_NAME.test(name)) {
    throw new AdminRefusal(
      `"${name}" cannot be an application's name: use 1 to 64 letters, digits, dots, dashes.`,
    );
  }
  const application = { name, disabled: false, permissions, registered, keys: [] };
  try {
    await applications(service).create(application, { also: [roster(service).putting({ name })] });
  } catch (error) {
    if (!(error instanceof AlreadyExists)) throw error;
    throw new AdminRefusal(`The ${service} service has an application "${name}" already.`);
  }
}

/** Writes an application, and replaces one of the same name. */
export async function putApplication(service: ServiceName, application: Application): Promise<void> {
  await applications(service).put(application, {
    also: [roster(service).putting({ name: application.name })],
  });
}

/** All applications of a service, by name. @example for (const { name } of await listApplications('hub')) … */
export async function listApplications(service: ServiceName): Promise<Application[]> {
  const names = await Array.fromAsync(eachItem(roster(service), { pk: ROSTER }), ({ name }) => name);
  return applications(service).getMany(names);
}

export async function findApplication(service: ServiceName, name: string): Promise<Stored<Application>> {
  const found = await applications(service).get(name);
  if (found) return found;
  throw new AdminRefusal(
    `The ${service} service has no application "${name}". See: apps list --service ${service}`,
  );
}

/** Issues a key. Its text is shown once and not stored. @example const { text } = await issueKey('session', 'acme') */
export async function issueKey(
  service: ServiceName,
  name: string,
  options: { expiresAt?: string } = {},
): Promise<{ text: string; key: ApiKey }> {
  const application = await findApplication(service, name);
  const issued = newKey(name, options);
  await change(service, application, { keys: [...application.keys, issued.key] });
  return issued;
}

/** Revokes a key: it is refused from the next request on, forever. */
export const revokeKey = (service: ServiceName, name: string, id: string, nowMs: number) =>
  changeKey(service, name, id, { revokedAt: new Date(nowMs).toISOString() });

/** Sets the time from which a key is refused. */
export const expireKey = (service: ServiceName, name: string, id: string, expiresAt: string) =>
  changeKey(service, name, id, { expiresAt });

async function changeKey(
  service: ServiceName,
  name: string,
  id: string,
  patch: Partial<ApiKey>,
): Promise<void> {
  const application = await findApplication(service, name);
  // Every id starts with the empty string: an unset shell variable must not revoke a key.
  const matching = id === '' ? [] : application.keys.filter((key) => key.id.startsWith(id));
  const [key, ...others] = matching;
  if (!key) throw new AdminRefusal(`Application "${name}" has no key "${id}". See: keys list ${name}`);
  if (others.length > 0)
    throw new AdminRefusal(`Several keys of "${name}" start with ${id}. Give more characters of the id.`);
  const keys = application.keys.map((each) => (each === key ? { ...each, ...patch } : each));
  await change(service, application, { keys });
}

async function change(
  service: ServiceName,
  application: Stored<Application>,
  patch: Partial<Application>,
): Promise<void> {
  try {
    await applications(service).change(application, patch);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    throw new AdminRefusal(
      `Somebody else changed "${application.name}" at the same moment, so nothing was done. Run it again.`,
    );
  }
}

/** Disables or enables an application. All keys of a disabled application are refused. */
export async function setDisabled(service: ServiceName, name: string, disabled: boolean): Promise<void> {
  await change(service, await findApplication(service, name), { disabled });
}

/** Grants a permission from the next request on. @example await grantPermission('pki', 'acme', 'authentication') */
export async function grantPermission(service: ServiceName, name: string, permission: string): Promise<void> {
  const application = await findApplication(service, name);
  const permissions = [...new Set([...application.permissions, permission])];
  await change(service, application, { permissions });
}

/** Revokes a permission. Returns whether the application had it. */
export async function revokePermission(
  service: ServiceName,
  name: string,
  permission: string,
): Promise<boolean> {
  const application = await findApplication(service, name);
  const permissions = application.permissions.filter((each) => each !== permission);
  if (permissions.length === application.permissions.length) return false;
  await change(service, application, { permissions });
  return true;
}

/** Registers a value that the operator vouches for, for example a redirect URI. @example await registerValue('hub', 'acme', 'redirectUris', uri) */
export async function registerValue(
  service: ServiceName,
  name: string,
  kind: string,
  value: string,
): Promise<void> {
  await changeRegistered(service, name, kind, (values) => [...new Set([...values, value])]);
}

/** Removes a registered value. */
export async function unregisterValue(
  service: ServiceName,
  name: string,
  kind: string,
  value: string,
): Promise<void> {
  await changeRegistered(service, name, kind, (values) => values.filter((each) => each !== value));
}

async function changeRegistered(
  service: ServiceName,
  name: string,
  kind: string,
  changed: (values: readonly string[]) => readonly string[],
): Promise<void> {
  const application = await findApplication(service, name);
  const values = changed(application.registered[kind] ?? []);
  await change(service, application, { registered: { ...application.registered, [kind]: values } });
}
