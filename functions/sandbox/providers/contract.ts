import * as z from 'zod';
import { formBody, jsonBody, oneOf } from '../../../shared/http/body/reader.ts';

export const ProviderParams = z.object({ provider: z.string().min(1).max(100) });

/** What a person chooses on the page, or a script posts in their place. */
export const Decision = z.object({ decision: z.enum(['approve', 'deny']) });

/** The same fields as a form or as JSON. Each provider takes one of the two, and is told which one came. */
const eitherWay = <S extends z.ZodObject>(shape: S) =>
  oneOf(
    formBody(shape.transform((fields) => ({ sentAs: 'form' as const, fields }))),
    jsonBody(shape.transform((fields) => ({ sentAs: 'json' as const, fields }))),
  );

const given = z.string().min(1);

const ClientTokenRequest = z.object({ grant_type: given, client_id: given, client_secret: given });
export type ClientTokenRequest = z.infer<typeof ClientTokenRequest>;
export const clientTokenBody = eitherWay(ClientTokenRequest);

const TokenRequest = ClientTokenRequest.extend({ code: given, code_verifier: given, redirect_uri: given });
export type TokenRequest = z.infer<typeof TokenRequest>;
export const tokenBody = eitherWay(TokenRequest);

export const HolderToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  scope: z.string(),
  authorized_identification_type: z.enum(['CPF', 'CNPJ']),
  authorized_identification: z.string(),
});

export const ClientToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
});

export const UserQuestion = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  user_cpf_cnpj: z.enum(['CPF', 'CNPJ']),
  val_cpf_cnpj: given,
});

export const UserAnswer = z.object({
  status: z.enum(['S', 'N']).describe('Sim or não: whether the provider keeps a certificate of the user.'),
  slots: z.array(z.object({ slot_alias: z.string(), label: z.string() })).optional(),
});

export const CertificateQuery = z.object({ certificate_alias: given.optional() });

export const HeldCertificates = z.object({
  status: z.enum(['S', 'N']),
  certificates: z.array(z.object({ alias: z.string(), certificate: z.string() })).optional(),
});

export const SignatureRequest = z.object({
  certificate_alias: given.optional(),
  hashes: z
    .array(
      z.object({
        id: given,
        alias: z.string(),
        hash: given,
        hash_algorithm: given.describe('An OID.'),
        signature_format: z.literal('RAW'),
      }),
    )
    .min(1),
});

export const Signatures = z.object({
  certificate_alias: z.string(),
  signatures: z.array(z.object({ id: z.string(), raw_signature: z.string() })),
});

/** OAuth's own answer with a token is for nobody else's eyes (RFC 6749, 5.1). */
export const UNSTORED = { 'cache-control': 'no-store', pragma: 'no-cache' };
