import type * as z from 'zod';
import type { Caller } from '../../../shared/access/caller.ts';
import { jsonBody, optionalJsonBody } from '../../../shared/http/body/reader.ts';
import type { Route } from '../../../shared/http/declaration.ts';
import { maxFileJsonBytes } from '../files/limits.ts';
import { pki, SIGNATURES } from '../service.ts';
import { UNSIGNABLE_CODES } from '../signatures/domain/refusals.ts';
import {
  SignatureFileModel,
  SignatureStartModel,
  SignedBytesRequest,
  SignedBytesRequestV2,
  SigningTokenParams,
} from './contract.ts';
import {
  contentOf,
  type EarlierResult,
  finalizeSignature,
  signatureFileOf,
  submitSignature,
} from './domain/complete.ts';
import type { EarlierKind, startEarlier } from './domain/start.ts';

type Start<Request> = (caller: Caller, request: Request, nowMs: number) => ReturnType<typeof startEarlier>;

/** A start of the earlier generation. */
export const startOperation = <S extends z.ZodType>(
  route: Route,
  { what, body, start }: { readonly what: string; readonly body: S; readonly start: Start<z.output<S>> },
) =>
  pki.endpoint(
    {
      route,
      summary: `Start ${what} (earlier generation)`,
      description:
        'Answers what the private key of the certificate must sign. Send the signature to SignedBytes. A certificate that may not sign is refused with its `validationResults`.',
      body: jsonBody(body),
      maxBodyBytes: maxFileJsonBytes,
      answers: { 200: SignatureStartModel },
      refuses: [
        'OptionNotSupported',
        'ValidationError',
        'SignaturePolicyRequired',
        'EntityNotFound',
        'EntityUnusable',
        'SecurityContextNotFound',
        'PKCertificateMalformed',
        'EmptyDocument',
        'InvalidToken',
        'CannotApplyPdfMarks',
        ...UNSIGNABLE_CODES,
      ],
      permission: SIGNATURES,
    },
    ({ caller, body: request }) => start(caller, request, Date.now()),
  );

const SIGNED_CODES = [
  'InvalidToken',
  'InvalidSignature',
  'ClientSignatureNotSet',
  'ClientSignatureAlreadySet',
  'TimestampingUnavailable',
] as const;

type Result<Field extends string> = {
  readonly kind: EarlierKind;
  /** The field of the answer that has the file. */
  readonly field: Field;
  readonly model: z.ZodType<{ [Name in Field]: string } & Omit<EarlierResult, 'file'>>;
};

/** What the operations on a started signature have in common. */
const ON_TOKEN = { params: SigningTokenParams, permission: SIGNATURES } as const;

const inlineResult = async <Field extends string>(field: Field, { file, ...rest }: EarlierResult) =>
  ({ [field]: await contentOf(file), ...rest }) as { [Name in Field]: string } & Omit<EarlierResult, 'file'>;

/** Takes the signature, and answers the signed file as base64. */
export const signedBytesOperation = <Field extends string>(
  route: Route,
  { kind, field, model }: Result<Field>,
) =>
  pki.endpoint(
    {
      route,
      summary: 'Submit signed bytes (earlier generation)',
      description:
        'Takes the signature value, and answers the signed file. A token does it once. A file of more than 4 MB is 413: version 2 answers a link.',
      ...ON_TOKEN,
      body: jsonBody(SignedBytesRequest),
      answers: { 200: model },
      refuses: SIGNED_CODES,
    },
    async ({ caller, params, body }) => {
      const token = { kind, ...params };
      const submission = { signature: body.signature, isInline: true };
      return inlineResult(field, await submitSignature(caller, token, submission, Date.now()));
    },
  );

/** The same, with the file inside the answer or as a link. */
export const signedBytesV2Operation = (route: Route, kind: EarlierKind) =>
  pki.endpoint(
    {
      route,
      summary: 'Submit signed bytes, and get the file or a link (earlier generation)',
      description:
        'Takes the signature value, and answers the signed file: inside the answer, or as an upload with a link where it is large or `forceBlobResult` is set. Without a signature, answers the file of one that was submitted.',
      ...ON_TOKEN,
      body: optionalJsonBody(SignedBytesRequestV2),
      answers: { 200: SignatureFileModel },
      refuses: SIGNED_CODES,
    },
    async ({ caller, params, body }) => {
      const nowMs = Date.now();
      const token = { kind, ...params };
      const { file, ...rest } = body.signature
        ? await submitSignature(caller, token, { signature: body.signature, isInline: false }, nowMs)
        : await finalizeSignature(caller, token, nowMs);
      return { signatureFile: await signatureFileOf(caller, file, body, nowMs), ...rest };
    },
  );

/** The signed file once more. */
export const finalizeOperation = <Field extends string>(
  route: Route,
  { kind, field, model }: Result<Field>,
) =>
  pki.endpoint(
    {
      route,
      summary: 'Finalize a signature (earlier generation)',
      description:
        'Answers the signed file of a token whose signature was submitted, as often as it is asked for.',
      ...ON_TOKEN,
      answers: { 200: model },
      refuses: ['InvalidToken', 'ClientSignatureNotSet'],
    },
    async ({ caller, params }) =>
      inlineResult(field, await finalizeSignature(caller, { kind, ...params }, Date.now())),
  );
