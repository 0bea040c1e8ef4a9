import { applicationSettings } from '../../shared/http/application-settings.ts';
import { count, duration } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('hub', {
  ...applicationSettings,
  'Providers:DiscoveryTimeout': duration(
    5,
    'How long a provider may take to answer a discovery. A slower one is left out.',
    { min: 1 },
  ),
  'Providers:TokenTimeout': duration(15, 'How long a provider may take to exchange a code for a token.', {
    min: 1,
  }),
  'Providers:SignatureTimeout': duration(
    90,
    'How long a provider may take to sign. Callers allow two minutes for the whole request.',
    { min: 1, max: 100 }, // the call may have to read the certificates first
  ),
  'Providers:MaxConcurrentCalls': count(
    32,
    'Calls of one kind to one provider that one instance makes at once. Others wait, within their time-out.',
    { min: 1 },
  ),
  'Providers:CircuitFailures': count(
    5,
    'Failed calls in a row, of one kind and for one application, after which the circuit opens.',
    { min: 1 },
  ),
  'Providers:CircuitOpenFor': duration(
    30,
    'How long the circuit stays open before one call tries the provider again.',
    {
      min: 1,
    },
  ),
});
