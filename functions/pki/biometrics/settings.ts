import { address, choice, count, duration, optional, secret, text } from '../../../shared/settings/kinds.ts';
import { identifierKinds } from './identifier-kinds.ts';

/** The settings of biometric sessions. */
export const biometricSettings = {
  'Biometrics:Provider': choice(
    'None',
    ['None', 'Rekognition', 'Http'],
    'Who judges faces: Amazon Rekognition Face Liveness, a provider at an address, or nobody.',
  ),
  'Biometrics:ProviderUrl': optional(address('', 'Where a provider of the kind Http is asked.')),
  'Biometrics:ProviderKey': secret('', 'Sent to it as a bearer token, where it wants one.'),
  'Biometrics:ProviderName': text('Http', 'What the status of a session calls it.'),
  'Biometrics:ProviderTimeout': duration(
    8,
    'How long one call to a provider may take. An enrollment makes three of them in one request.',
    { min: 1, max: 9 }, // within the 29 s that API Gateway waits
  ),
  'Biometrics:Region': text('us-east-1', 'The region of Rekognition: Face Liveness is not in all of them.'),
  'Biometrics:CaptureModule': optional(
    address('', "The module with Amazon's Face Liveness client, which the page loads. Rekognition needs it."),
  ),
  'Biometrics:LivenessConfidence': count(
    90,
    'From which confidence on, in percent, Rekognition is believed that somebody is alive.',
    { max: 100 },
  ),
  'Biometrics:MatchLevel': count(95, 'From which likeness on, in percent, two faces are one.', { max: 100 }),
  'Biometrics:SessionLifetime': duration('00:15:00', 'How long a person has for a session.', { min: 60 }),
  'Biometrics:ResultKeptFor': duration('24:00:00', 'How long after that its outcome can be taken and read.', {
    min: 60,
  }),
  'Biometrics:MaxAttempts': count(3, 'How often a person may try in one session.', { min: 1, max: 10 }),
  'Biometrics:SubjectIdentifiers': optional(
    identifierKinds('What subjects may be known by: some of CPF, CNPJ, Email. Unset, by any text.'),
  ),
} as const;

type Chosen = {
  readonly 'Biometrics:Provider': string;
  readonly 'Biometrics:ProviderUrl': string | undefined;
  readonly 'Biometrics:CaptureModule': string | undefined;
};

/** A provider that is named can be reached. */
export function reachableProvider(values: Chosen): string | undefined {
  const needed = NEEDED[values['Biometrics:Provider']];
  return needed && values[needed] === undefined
    ? `Setting ${needed} is not set: the biometric provider ${values['Biometrics:Provider']} needs it.`
    : undefined;
}

const NEEDED: Readonly<Record<string, 'Biometrics:ProviderUrl' | 'Biometrics:CaptureModule'>> = {
  Http: 'Biometrics:ProviderUrl',
  Rekognition: 'Biometrics:CaptureModule',
};
