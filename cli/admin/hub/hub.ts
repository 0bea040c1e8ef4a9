import { openSecret } from '../../../functions/hub/domain/providers/client-secret.ts';
import {
  findProvider,
  listProviders,
  type Provider,
} from '../../../functions/hub/domain/providers/provider.ts';
import {
  addProvider,
  removeProvider,
  requireRegistered,
} from '../../../functions/hub/domain/providers/register-provider.ts';
import { LOCAL_SETTINGS } from '../../../infra/local/seed/local-settings.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { isLocal } from '../../../shared/settings/names.ts';
import { readSecret } from '../../terminal/pin.ts';
import { type HubValues, providerOf, secretSource } from './options.ts';

/** Adds a provider. Its secret comes from a prompt, a file, a variable or a pipe, and is kept sealed. */
export async function addHubProvider(name: string, values: HubValues): Promise<string> {
  allowLocalAddresses();
  const provider = providerOf(name, values);
  const clientSecret = await readSecret(secretSource(values), {
    name: 'client secret',
    whose: name,
    option: 'secret',
  });
  const known = await findProvider(name);
  const { baseUrl } = await addProvider({ ...provider, clientSecret }, { replace: values.replace === true });
  return `${known ? 'Replaced' : 'Added'} ${name} at ${baseUrl}. Register this redirect URI there: ${callback()}\nThen try it: npm run admin -- hub providers test ${name}`;
}

// Only the operator knows the root URL of a deployed stage, unless it is set here too.
const callback = (): string =>
  `${process.env.Http__PublicUrl === undefined ? '<root>' : commonSettings['Http:PublicUrl']}/hub/api/sessions/callback`;

/** Allows private addresses on the local stage, as the engine does: the sandbox's providers have them. */
export function allowLocalAddresses(): void {
  if (isLocal()) process.env.Network__AllowPrivateAddresses ??= LOCAL_SETTINGS.Network__AllowPrivateAddresses;
}

export async function listHubProviders(): Promise<string> {
  const all = await listProviders();
  const line = ({ name, company, baseUrl, discovery }: Provider): string =>
    `${name}  ${company}  ${baseUrl}  discovery: ${discovery}`;
  return all.length > 0 ? all.map(line).join('\n') : 'The hub has no providers.';
}

/** Shows everything but the secret. */
export async function showHubProvider(name: string): Promise<string> {
  const provider = await requireRegistered(name);
  const timeouts = Object.entries(provider.timeouts).map(
    ([kind, seconds]) => `${kind.replace(/Seconds$/, '')} ${seconds} s`,
  );
  const secret = await openSecret(provider);
  const rows: readonly (readonly [string, string])[] = [
    ['name', provider.name],
    ['company', provider.company],
    ['base address', provider.baseUrl],
    ['badge', provider.badgeUrl ?? 'none'],
    ['client id', provider.clientId],
    ['client secret', 'plain' in secret ? 'sealed' : `does not open: ${secret.problem}`],
    ['hash encoding', provider.hashEncoding],
    ['token body', provider.tokenBody],
    ['hashes a call', String(provider.hashesPerCall)],
    ['sends the alias', provider.sendsAlias ? 'yes' : 'no'],
    ['discovery', provider.discovery],
    ['time-outs', timeouts.join(', ') || 'as the settings say'],
  ];
  return rows.map(([what, value]) => `${what.padEnd(16)}${value}`).join('\n');
}

export async function removeHubProvider(text: string): Promise<string> {
  const { name } = await removeProvider(text);
  return `Removed ${name}: it is no longer offered, and its sessions are refused.`;
}
