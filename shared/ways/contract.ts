import * as z from 'zod';

// What the pages at which people sign ask their service, and its answers: the same for every service. The pages are no
// part of a contract document.

/** Where a certificate can be that is not a file. */
export const Way = z.enum(['cloud', 'token']);
export type Way = z.output<typeof Way>;

/** The documents that the person was shown. */
export const DocumentIds = z.array(z.guid()).min(1).max(100);

/** Most documents that a person signs in one go beside the one of the page, each with a link of its own. */
const MAX_OTHERS = 20;

const Secret = z.string().min(1).max(200);
const Link = z.object({ key: Secret, ticket: Secret });

/** The links of the documents that are signed in one go with the one of the page. */
export const OtherLinks = z.array(Link).max(MAX_OTHERS).default([]);

/** The link of the page that asks, where it is of another document. */
export const PageLink = Link.optional();

export const Fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
/** The id of a question, and what completes its signatures. */
export const QuestionHandle = z.string().min(1).max(10_000);

/** A certificate as a page shows it before it signs. */
const ShownCertificate = z.object({
  sha256: z.string(),
  /** The person, or who answers for the company. */
  holder: z.string(),
  company: z.object({ name: z.string(), cnpj: z.string() }).nullable(),
  issuer: z.string(),
  validUntil: z.iso.datetime(),
});
export type ShownCertificate = z.output<typeof ShownCertificate>;

/** The answer to the begin of a visit to a provider. */
export const VisitBegun = z.object({
  state: z.enum(['begun', 'no-provider', 'provider-failed']),
  providers: z.array(z.object({ name: z.string(), address: z.string() })),
});
export type VisitBegun = z.output<typeof VisitBegun>;

/**
 * How a page stands with a certificate elsewhere. Cloud: none, away, denied, failed, expired, ready. Token: none,
 * offline, failed, ready.
 */
export const WayLook = z.object({
  state: z.enum(['none', 'away', 'denied', 'failed', 'expired', 'offline', 'ready']),
  certificates: z.array(ShownCertificate),
});
export type WayLook = z.output<typeof WayLook>;

const ValidationError = z.object({
  type: z.string(),
  message: z.string(),
  get innerValidationResults() {
    return z.nullable(z.object({ errors: z.array(ValidationError).readonly() }));
  },
});

/** The answer to a signature. `refused`: the certificate may not sign, and `errors` say why. */
export const WaySigned = z.object({
  state: z.enum([
    ...['signed', 'refused', 'waiting', 'declined', 'pin-blocked', 'unusable', 'replaced'],
    ...['none', 'away', 'denied', 'failed', 'expired', 'offline'],
  ] as const),
  /** The documents that still wait for a signature of this person. */
  left: z.int(),
  errors: z.array(ValidationError).readonly(),
  /** Of a document that is signed: shows that this browser signed it. */
  proof: z.string().nullish(),
});
export type WaySigned = z.output<typeof WaySigned>;

/** The answer to a question for a workstation: what the holder sees there too. */
export const TokenAsked = z.object({
  state: z.enum(['asked', 'refused', 'offline', 'failed']),
  /** Collects the answer, once. */
  question: z.string(),
  /** Each with the first bytes of its hash. */
  documents: z.array(z.object({ name: z.string(), code: z.string() })),
  endsAt: z.iso.datetime(),
  errors: z.array(ValidationError).readonly(),
});
export type TokenAsked = z.output<typeof TokenAsked>;
