import type { Deadline } from '../../../../../shared/async/deadline.ts';
import type { HubProvider } from '../../../../../shared/hub/client.ts';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import { cloud } from '../../../config/hub.ts';
import { errors } from '../../../errors.ts';
import { readProfile } from '../profile.ts';
import { createPending } from './pending-authorization.ts';

/** Where the hub sends an operator back to. It is registered there for our key, to the letter. */
const returnUri = (): string => `${commonSettings['Http:PublicUrl']}/batch/cloud-certificates/return`;

type BeginRequest = { readonly profileName: string; readonly operatorCookie: string };

/** Why no authorization was begun. */
export type BeginProblem =
  | 'cloud-not-configured'
  | 'no-cloud-certificate'
  | 'no-provider'
  | 'provider-failed';

export type BeginResult =
  | {
      readonly outcome: 'begun';
      /** At least one. */
      readonly providers: readonly HubProvider[];
    }
  | { readonly outcome: BeginProblem };

const DAY_SECONDS = 86_400;
const CPF_CHARACTERS = 11;

/** The longest that the national rules allow a provider to grant: to a person, and to a company. */
const lifetimeSecondsOf = (identifier: string): number =>
  (identifier.length > CPF_CHARACTERS ? 30 : 7) * DAY_SECONDS;

/**
 * Begins to authorize the cloud certificate of a profile: a SignatureSession at every provider that holds one of the
 * holder. Refused with profile.not-found.
 */
export async function beginAuthorization(
  { profileName, operatorCookie }: BeginRequest,
  deadline: Deadline,
): Promise<BeginResult> {
  const profile = await readProfile(profileName);
  if (!profile) throw errors.refuse('profile.not-found', { name: profileName }, { status: 404 });
  const { cloudCertificate } = profile;
  if (!cloud.isOffered()) return { outcome: 'cloud-not-configured' };
  if (!cloudCertificate) return { outcome: 'no-cloud-certificate' };
  const { identifier, provider } = cloudCertificate;
  const lifetimeSeconds = lifetimeSecondsOf(identifier);
  const pending = { profileName: profile.name, cloudCertificate, lifetimeSeconds, operatorCookie };
  const customState = await createPending(pending, deadline.now());
  const request = { redirectUri: returnUri(), identifier, lifetimeSeconds, customState };
  const work = { profileName: profile.name };
  const begun = await cloud.begin({ ...request, type: 'SignatureSession' }, work, deadline);
  if (begun.outcome !== 'begun') return begun;
  const providers = begun.providers.filter(
    ({ serviceName }) => provider === undefined || serviceName.toLowerCase() === provider.toLowerCase(),
  );
  return providers.length > 0 ? { outcome: 'begun', providers } : { outcome: 'no-provider' };
}
