import { count, flag } from '../settings/kinds.ts';
import { isLocal } from '../settings/names.ts';
import { networks } from '../settings/networks.ts';
import type { Policy } from './engine.ts';

/** The settings of a service that sends webhooks. */
export const webhookSettings = {
  'Webhooks:RetryFactor': count(100, 'The delays before retries, in percent of the published table.', {
    min: 1,
  }),
  'Webhooks:AllowPrivateNetworks': flag(
    false,
    'Lets webhooks reach private and loopback addresses. Only the local stage accepts it.',
  ),
  'Webhooks:AllowedNetworks': networks(
    'Private networks that webhooks may reach, such as 10.20.0.0/16. Name receivers alone: callers choose addresses.',
  ),
};

type Values = {
  readonly 'Webhooks:RetryFactor': number;
  readonly 'Webhooks:AllowPrivateNetworks': boolean;
  readonly 'Webhooks:AllowedNetworks': readonly string[];
};

export const privateNetworksRule = (values: Values): string | undefined =>
  values['Webhooks:AllowPrivateNetworks'] && !isLocal()
    ? 'Setting Webhooks:AllowPrivateNetworks is for the local stage only: elsewhere it would open the network of the functions to anyone who registers a webhook (SSRF). Webhooks:AllowedNetworks names single networks.'
    : undefined;

/** What webhooks of all services have in common. */
export const commonPolicyOf = (settings: Values): Omit<Policy, 'maxPerOwner' | 'maxAttempts'> => ({
  timeoutSeconds: 30,
  // A receiver has few connections for one sender.
  concurrency: 10,
  retryFactor: settings['Webhooks:RetryFactor'] / 100,
  retryAfterMaxSeconds: 3_600,
  // An operator who was on leave can still replay.
  keptForSeconds: 30 * 86_400,
  allowPrivateNetworks:
    (settings['Webhooks:AllowPrivateNetworks'] && isLocal()) || settings['Webhooks:AllowedNetworks'],
});
