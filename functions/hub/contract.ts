import * as z from 'zod';

// The beginning of a DER certificate: a whole one has some kilobytes.
const CERTIFICATE = 'MIIDazCCAlOgAwIBAgIUTyqcAQ==';
const ALPHA = {
  serviceName: 'alpha',
  provider: 'Alpha Trust',
  endpoint: 'http://localhost:3000/sandbox/providers/alpha',
  badgeUrl: null,
};
const ALPHA_AUTHORIZATION = {
  serviceInfo: ALPHA,
  authUrl: 'http://localhost:3000/sandbox/providers/alpha/oauth/authorize?client_id=sinete&state=5f1d9c3a',
};
const SESSION = 'm3Vd0rYcQm7pZt9Lw2Nf5Bs8Gj1Ra4hKx6Tq0We9Uy1';
const SIGNATURE_REQUEST = {
  redirectUri: 'http://localhost:3000/sandbox/client/return',
  identifier: '52998224725',
  type: 'SingleSignature',
  customState: 'order-1042',
};

/** In the order of the numbers that older clients send. */
const SESSION_TYPES = [
  'SingleSignature',
  'MultiSignature',
  'SignatureSession',
  'AuthenticationSession',
] as const;
export type SessionType = (typeof SESSION_TYPES)[number];

/** In the order of the numbers that older clients send. */
const IDENTIFIER_TYPES = ['CPF', 'CNPJ'] as const;
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];

export const MAX_URI_CHARACTERS = 2_048; // every browser accepts this many
export const MAX_STATE_CHARACTERS = 10_000; // stored once a provider, all in one transaction
const MAX_LIFETIME_SECONDS = 2_147_483_647; // int32, as clients declare it

/** A member of an enumeration by its name, or by its position from 1, which older clients send. */
const enumeration = <const T extends string>(names: readonly [T, ...T[]]) => {
  const numbers = names.map((_, index) => index + 1);
  const [first = 1, ...others] = numbers;
  return z
    .union([z.enum(names), z.literal([first, ...others])], {
      error: `must be one of ${names.join(', ')}, or a number from 1 to ${names.length}`,
    })
    .transform((value) => (typeof value === 'number' ? names[value - 1] : value) as T);
};

export const TrustServiceSessionTypes = enumeration(SESSION_TYPES).meta({
  description: 'What the session may sign. Older clients send its number.',
  examples: ['SingleSignature'],
});
export const IdentifierTypes = enumeration(IDENTIFIER_TYPES).meta({
  description: 'Whose identifier it is: of a person or of a company. Older clients send its number.',
  examples: ['CPF'],
});

// A number in a query is text.
const IdentifierTypeInQuery = z
  .union([z.enum(IDENTIFIER_TYPES), z.enum(['1', '2'])], { error: 'must be CPF or CNPJ' })
  .transform((value) => (value === '1' ? 'CPF' : value === '2' ? 'CNPJ' : value));

const Identifier = z
  .string()
  .meta({ description: 'CPF or CNPJ, with or without punctuation.', examples: ['52998224725'] });

/** Clients send null for fields that they leave out. */
const optional = <S extends z.ZodType>(shape: S) => shape.nullish().transform((value) => value ?? undefined);

const Discover = optional(z.boolean());

const common = {
  redirectUri: z
    .string()
    .min(1, 'is required')
    .max(MAX_URI_CHARACTERS)
    .describe('Absolute, and registered for the key. `session` is appended when the user is sent back.'),
  identifier: optional(Identifier),
  type: optional(TrustServiceSessionTypes).describe('SingleSignature when left out.'),
  lifetimeInSeconds: optional(z.int().min(1).max(MAX_LIFETIME_SECONDS)).describe(
    'How long the session is wanted for; the provider may grant less.',
  ),
  customState: optional(z.string().max(MAX_STATE_CHARACTERS)).describe(
    'Kept with the session, and answered by custom-state.',
  ),
};

export const SessionCreateRequest = z
  .object({
    ...common,
    identifierType: optional(IdentifierTypes).describe(
      'When left out, more than 11 characters without punctuation are a CNPJ.',
    ),
    discover: Discover.describe(
      'Whether to ask each provider for a certificate of the identifier. True when left out and there is one.',
    ),
  })
  .meta({
    description: 'Who signs, and where the user is sent back to.',
    examples: [{ ...SIGNATURE_REQUEST, identifierType: 'CPF', discover: true }],
  });

export const ServiceSessionCreateRequest = z
  .object({ ...common, discover: Discover.describe('Ignored: the path names the provider.') })
  .meta({ description: 'Who signs, and where the user is sent back to.', examples: [SIGNATURE_REQUEST] });

export const ServiceParams = z.object({
  name: z
    .string()
    .meta({ description: 'A serviceName, as the hub answers it; case-insensitive.', examples: ['alpha'] }),
});

export const IdentifierQuery = z.object({
  identifier: Identifier,
  identifierType: IdentifierTypeInQuery.optional().describe('CPF when left out.'),
});

export const SessionQuery = z.object({
  session: z
    .string()
    .min(1, 'is required')
    .meta({ description: 'The value that the redirect URI received.', examples: [SESSION] }),
});

export const SignHashRequest = z
  .object({
    session: SessionQuery.shape.session,
    hash: z.string().min(1, 'is required').describe('The hash itself, base64.'),
    digestAlgorithmOid: optional(z.string()).describe(
      'Goes before digestAlgorithm. One of the two is required.',
    ),
    digestAlgorithm: optional(z.string()).describe('By name, such as SHA-256.'),
    certificateAlias: optional(z.string()).describe(
      'As the certificate operation of v2 answers it. The certificate that it answers when left out.',
    ),
  })
  .meta({
    description: 'The session, the hash and its algorithm.',
    examples: [
      { session: SESSION, hash: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=', digestAlgorithm: 'SHA-256' },
    ],
  });

export const TrustServiceInfoModel = z
  .object({
    serviceName: z
      .string()
      .describe("The provider's name here, for the path of the single-provider operations."),
    provider: z.string().describe('The company that operates it.'),
    endpoint: z.string().describe("The address of the provider's API."),
    badgeUrl: z.string().nullable().describe('Its logo.'),
  })
  .meta({ description: 'A provider of cloud certificates.', examples: [ALPHA] });

export const TrustServiceAuthParametersModel = z
  .object({
    serviceInfo: TrustServiceInfoModel,
    authUrl: z.string().describe('Where to send the user to authorize.'),
  })
  .meta({
    description: 'A provider, and where its user authorizes the session.',
    examples: [ALPHA_AUTHORIZATION],
  });

export const SessionModel = z
  .object({
    services: z
      .array(TrustServiceAuthParametersModel)
      .describe('One a provider; none when no provider holds a certificate for the identifier.'),
  })
  .meta({
    description: 'The providers at which the session can be authorized.',
    examples: [{ services: [ALPHA_AUTHORIZATION] }],
  });

export const TrustServices = z
  .array(TrustServiceInfoModel)
  .meta({ description: 'The providers that hold a certificate for the identifier.', examples: [[ALPHA]] });

export const GetServiceAvailabilityResponse = z
  .object({
    discoveryAvailable: z.boolean().describe('Whether the provider answered.'),
    certificateFound: z.boolean().nullable().describe('Null when it did not.'),
  })
  .meta({
    description: 'What a provider answered about an identifier.',
    examples: [{ discoveryAvailable: true, certificateFound: true }],
  });

export const CertificateContent = z.string().meta({ description: 'DER, base64.', examples: [CERTIFICATE] });

export const CertificateModel = z
  .object({
    content: CertificateContent,
    alias: z.string().describe('Its identifier at the provider, for certificateAlias of sign-hash.'),
    serviceName: z.string(),
  })
  .meta({
    description: 'The certificate of a session, and where it is held.',
    examples: [{ content: CERTIFICATE, alias: 'cert-2026', serviceName: 'alpha' }],
  });

export const Signature = z
  .string()
  .meta({ description: 'The signature value, base64.', examples: ['kY1vQm7pZt9Lw2Nf5Bs8Gg=='] });

export const CustomState = z
  .string()
  .nullable()
  .meta({ description: 'As given when the session was created.', examples: ['order-1042'] });
