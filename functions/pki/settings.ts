import { applicationSettings } from '../../shared/http/application-settings.ts';
import { hubSettings } from '../../shared/hub/settings.ts';
import { validationSettings } from '../../shared/pki/verdict/settings.ts';
import {
  address,
  addresses,
  bytes,
  choice,
  count,
  duration,
  filesById,
  optional,
  type Setting,
  secret,
  text,
} from '../../shared/settings/kinds.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { privateNetworksRule, webhookSettings } from '../../shared/webhooks/settings.ts';
import { workstationSettings } from '../../shared/workstation/settings.ts';

/** Kinds of identifiers of the subjects of biometric sessions. */
export const IDENTIFIER_KINDS = ['CPF', 'CNPJ', 'Email'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

/** A setting that lists some of them. An empty list accepts any text. */
const identifierKinds = (why: string): Setting<readonly IdentifierKind[]> => ({
  ...text('', why),
  unit: 'kinds',
  default: [],
  parse: (given) => given.split(',').flatMap(kindOf),
});

function kindOf(word: string): IdentifierKind[] {
  const name = word.trim().toLowerCase();
  const kind = IDENTIFIER_KINDS.find((each) => each.toLowerCase() === name);
  if (kind === undefined && name !== '')
    throw new Error(`must list some of ${IDENTIFIER_KINDS.join(', ')}, with commas between`);
  return kind ? [kind] : [];
}

const signatureSessionSettings = {
  'SignatureSessions:MaxDocumentBytes': bytes(
    10_485_760,
    'Largest document of a signature session, and largest file of a signature by API.',
  ),
  'SignatureSessions:CompletionWait': duration(
    10,
    'How long a call that awaits completion is held while the signed files are being made.',
    { max: 20 }, // a caller behind an API gateway waits 29 s at most
  ),
};

const documentSettings = {
  'Documents:KeptFor': duration(
    '30.00:00:00',
    'How long a signed document can be fetched. It is removed after that.',
    { min: 3_600 },
  ),
  'Signatures:TimestampAuthorities': optional(
    addresses(
      'Timestamp authorities, tried in this order: for timestamps over a PDF, and for policies that ask for one. None: there are no such.',
    ),
  ),
  'SignaturePolicies:Files': filesById(
    'The DER files of the ICP-Brasil signature policies that clients of the earlier generation name: id=file, separated by commas. Without its file a policy is unusable.',
  ),
};

const biometricSettings = {
  'Biometrics:Provider': choice(
    'None',
    ['None', 'Rekognition', 'Http'],
    'Who judges faces: Amazon Rekognition Face Liveness, a provider at an address, or nobody.',
  ),
  'Biometrics:ProviderUrl': optional(address('', 'Where a provider of the kind Http is asked.')),
  'Biometrics:ProviderKey': secret('', 'Sent to it as a bearer token, where it wants one.'),
  'Biometrics:ProviderName': text('Http', 'What the status of a session calls it.'),
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

/** Refuses a biometric provider without the setting that it needs. */
export function checkProvider(values: Chosen): string | undefined {
  const needed = NEEDED[values['Biometrics:Provider']];
  return needed && values[needed] === undefined
    ? `Setting ${needed} is not set: the biometric provider ${values['Biometrics:Provider']} needs it.`
    : undefined;
}

const CONTEXTS = ['PkiBrazil', 'PkiItaly', 'WindowsServer', 'Others'] as const;

type Roots = { readonly [Name in (typeof CONTEXTS)[number] as `SecurityContexts:${Name}`]: unknown };

/** Refuses a deployment without roots: it would trust nobody. */
function checkRoots(values: Roots): string | undefined {
  const isSet = (name: (typeof CONTEXTS)[number]): boolean =>
    String(values[`SecurityContexts:${name}`] ?? '') !== '';
  return isLocal() || CONTEXTS.some(isSet)
    ? undefined
    : 'Setting SecurityContexts:PkiBrazil is not set, nor any other of SecurityContexts: no certificate is trusted without roots. Put them in trust/ and name them as trust/roots.pem.';
}

const NEEDED: Readonly<Record<string, 'Biometrics:ProviderUrl' | 'Biometrics:CaptureModule'>> = {
  Http: 'Biometrics:ProviderUrl',
  Rekognition: 'Biometrics:CaptureModule',
};

export const settings = defineSettings(
  'pki',
  {
    ...applicationSettings,
    'Authentication:NonceLifetime': duration('00:10:00', 'How long a nonce can be signed and sent back.', {
      min: 30,
    }),
    'SecurityContexts:PkiBrazil': optional(
      text(
        '',
        'The roots of ICP-Brasil: files separated by commas, or PEM text itself. Unset, it is unknown.',
      ),
    ),
    'SecurityContexts:PkiItaly': optional(
      text('', 'The roots of the Italian infrastructure, in the same way. Unset, it is unknown.'),
    ),
    'SecurityContexts:WindowsServer': optional(
      text('', 'The roots that your Windows servers trust, in the same way. Unset, it is unknown.'),
    ),
    'SecurityContexts:Others': filesById(
      "Contexts of the operator's own: id=file, separated by commas. An id may have several files.",
    ),
    ...validationSettings,
    ...hubSettings,
    ...workstationSettings,
    ...signatureSessionSettings,
    ...documentSettings,
    ...biometricSettings,
    ...webhookSettings,
  },
  [checkProvider, checkRoots, privateNetworksRule],
);
