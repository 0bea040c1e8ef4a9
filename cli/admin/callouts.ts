import { CALLOUT_KINDS, type CalloutKind } from '../../functions/pki/callouts/domain/engine.ts';
import { listCallouts, setCallout } from '../../functions/pki/callouts/domain/set-callout.ts';
import { LOCAL_SETTINGS } from '../../infra/local/seed/local-settings.ts';
import { AdminRefusal, findApplication } from '../../shared/access/administration.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { AUTH_TYPES, type AuthType } from '../../shared/webhooks/webhook.ts';
import { readSecret } from '../terminal/pin.ts';
import { type HubValues, secretSource } from './hub/options.ts';

/** The options of `callouts`: an address and its secret, as those of a provider, and how the calls are authenticated. */
export type CalloutValues = HubValues & { readonly auth?: string | undefined };

/** Sets where an application is called. Its token comes from a prompt, a file, a variable or a pipe, and is kept sealed. */
export async function setCalloutOf(
  application: string,
  word: string,
  values: CalloutValues,
): Promise<string> {
  const kind = kindOf(word);
  await findApplication('pki', application);
  allowPrivateNetworks();
  const authType = authTypeOf(values.auth ?? 'NoAuth');
  const secret = { name: 'token', whose: `${application} ${kind}`, option: 'secret' };
  const token = authType === 'NoAuth' ? undefined : await readSecret(secretSource(values), secret);
  const set = await setCallout(application, kind, { url: values.url ?? '', authType, token, secret: null });
  if (set && 'refused' in set) throw new AdminRefusal(set.message);
  return `${kind} of ${application} goes to ${values.url}, with ${authType}.`;
}

export async function listCalloutsOf(application: string): Promise<string> {
  await findApplication('pki', application);
  const all = await listCallouts(application);
  return all.length > 0
    ? all.map(({ kind, url, authType }) => `${kind}  ${url}  ${authType}`).join('\n')
    : `${application} is not called.`;
}

export async function removeCalloutOf(application: string, word: string): Promise<string> {
  const kind = kindOf(word);
  await findApplication('pki', application);
  await setCallout(application, kind, undefined);
  return `${application} is no longer called for ${kind}.`;
}

function kindOf(word: string): CalloutKind {
  const found = CALLOUT_KINDS.find((kind) => kind === word);
  if (!found) throw new AdminRefusal(`"${word}" is no call-out. Name one of: ${CALLOUT_KINDS.join(', ')}.`);
  return found;
}

function authTypeOf(word: string): AuthType {
  const found = AUTH_TYPES.find((type) => type === word);
  if (!found) throw new AdminRefusal(`--auth is one of: ${AUTH_TYPES.join(', ')}.`);
  return found;
}

// As the engine does: receivers of the sandbox are on this machine.
function allowPrivateNetworks(): void {
  if (isLocal()) process.env.Webhooks__AllowPrivateNetworks ??= LOCAL_SETTINGS.Webhooks__AllowPrivateNetworks;
}
