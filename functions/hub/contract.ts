import * as z from 'zod';

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

export const TrustServiceSessionTypes = enumeration(SESSION_TYPES);
export const IdentifierTypes = enumeration(IDENTIFIER_TYPES);

// A number in a query is text.
const IdentifierTypeInQuery = z
  .union([z.enum(IDENTIFIER_TYPES), z.enum(['1', '2'])], { error: 'must be CPF or CNPJ' })
  .transform((value) => (value === '1' ? 'CPF' : value === '2' ? 'CNPJ' : value));

const Identifier = z.string().describe('CPF or CNPJ, without punctuation.');

/** Clients send null for fields that they leave out. */
const optional = <S extends z.ZodType>(shape: S) => shape.nullish().transform((value) => value ?? undefined);

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

export const SessionCreateRequest = z.object({
  ...common,
  identifierType: optional(IdentifierTypes).describe('When left out, more than 11 characters are a CNPJ.'),
  discover: optional(z.boolean()).describe(
    'Whether to ask each provider for a certificate of the identifier. True when left out and there is one.',
  ),
});

export const ServiceSessionCreateRequest = z.object(common);

export const ServiceParams = z.object({
  name: z.string().describe('A serviceName, as the hub answers it; in any case.'),
});

export const IdentifierQuery = z.object({
  identifier: Identifier,
  identifierType: IdentifierTypeInQuery.optional().describe('CPF when left out.'),
});

export const SessionQuery = z.object({
  session: z.string().min(1, 'is required').describe('The value that the redirect URI received.'),
});

export const SignHashRequest = z.object({
  session: SessionQuery.shape.session,
  hash: z.string().min(1, 'is required').describe('The hash itself, base64.'),
  digestAlgorithmOid: optional(z.string()).describe(
    'Goes before digestAlgorithm. One of the two is required.',
  ),
  digestAlgorithm: optional(z.string()).describe('By name, such as SHA-256.'),
  certificateAlias: optional(z.string()).describe(
    'As the certificate operation of v2 answers it. The certificate that it answers when left out.',
  ),
});

export const TrustServiceInfoModel = z.object({
  serviceName: z
    .string()
    .describe("The provider's name here, for the path of the single-provider operations."),
  provider: z.string().describe('The company that operates it.'),
  endpoint: z.string().describe("The address of the provider's API."),
  badgeUrl: z.string().nullable().describe('Its logo.'),
});

export const TrustServiceAuthParametersModel = z.object({
  serviceInfo: TrustServiceInfoModel,
  authUrl: z.string().describe('Where to send the user to authorize.'),
});

export const SessionModel = z.object({
  services: z
    .array(TrustServiceAuthParametersModel)
    .describe('One a provider; none when no provider holds a certificate for the identifier.'),
});

export const TrustServices = z.array(TrustServiceInfoModel);

export const GetServiceAvailabilityResponse = z.object({
  discoveryAvailable: z.boolean().describe('Whether the provider answered.'),
  certificateFound: z.boolean().nullable().describe('Null when it did not.'),
});

export const CertificateContent = z.string().describe('DER, base64.');

export const CertificateModel = z.object({
  content: CertificateContent,
  alias: z.string().describe('Its identifier at the provider, for certificateAlias of sign-hash.'),
  serviceName: z.string(),
});

export const Signature = z.string().describe('Base64.');

export const CustomState = z.string().nullable().describe('As given when the session was created.');
