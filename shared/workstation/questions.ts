import * as z from 'zod';

// The questions that a service of this product puts to a certificate's holder at their workstation, through the session
// server. They are no part of the session server's contract document.

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const MAX_QUESTION_DOCUMENTS = 50;
const MAX_NAME_CHARACTERS = 255;

/** A document of a question: its name, and the hash that the key signs. */
export const QuestionDocument = z.object({
  name: z.string().max(MAX_NAME_CHARACTERS),
  hash: z.base64().length(44), // SHA-256
});
export type QuestionDocument = z.output<typeof QuestionDocument>;

/** Shown to the holder: who asks, and which documents. */
export const shownToHolder = {
  requester: z.string().max(MAX_NAME_CHARACTERS),
  documents: z.array(QuestionDocument).min(1).max(MAX_QUESTION_DOCUMENTS),
};

/** POST /workstations/certificates */
export const FindRequest = z.object({ cpf: z.string().regex(/^\d{11}$/) });
export const FoundCertificates = z.object({
  state: z.enum(['none', 'offline', 'online']),
  /** DER as base64: those at workstations that are online. */
  certificates: z.array(z.base64()),
});

/** POST /workstations/questions */
export const AskRequest = z.object({
  /** What the question is about, by the service's own name. It has one open question. */
  subject: z.string().min(1).max(200),
  cpf: z.string().regex(/^\d{11}$/),
  /** The certificate whose key signs. */
  sha256,
  ...shownToHolder,
});
export type AskRequest = z.output<typeof AskRequest>;

export const QuestionAsked = z.object({
  state: z.enum(['asked', 'offline']),
  questionId: z.string(),
  endsAtMs: z.int(),
});
export type QuestionAsked = z.output<typeof QuestionAsked>;

/** POST /workstations/questions/answer */
export const AnswerRequest = z.object({
  subject: z.string().min(1).max(200),
  questionId: z.string().regex(/^[\w-]{1,64}$/),
});

export const QuestionAnswer = z.object({
  state: z.enum([
    ...['waiting', 'signed', 'declined', 'expired', 'offline'],
    ...['pin-blocked', 'unusable', 'replaced'],
  ] as const),
  /** With `signed`: one for each document, in their order. */
  signatures: z.array(z.base64()),
});
export type QuestionAnswer = z.output<typeof QuestionAnswer>;
