import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { type Certificate, CertificateMalformed, parseCertificate } from '../pki/certificate/certificate.ts';
import type { SigningDigest } from '../signing/digest.ts';
import { callHub, type HubAccess } from './call.ts';
import { HubUnreachable } from './errors.ts';

export type CreateSessionRequest = {
  readonly redirectUri: string;
  /** A CPF or a CNPJ. Undefined where it is not known: every provider is answered then. */
  readonly identifier: string | undefined;
  /** Good for one signature, or for any number until its lifetime is over. */
  readonly type: 'SingleSignature' | 'SignatureSession';
  readonly lifetimeSeconds: number;
  /** Given back by the session. */
  readonly customState: string;
};

/** A provider that holds a certificate, and where its holder authorizes the session. */
export type HubProvider = {
  /** Of the company that operates it, for people. */
  readonly name: string;
  /** As the hub names it. */
  readonly serviceName: string;
  readonly authUrl: string;
};

export type HeldCertificate = { readonly certificate: Certificate; readonly alias: string };

export type SignHashRequest = {
  readonly session: string;
  readonly hash: Buffer;
  /** SHA-256 when left out. */
  readonly digest?: SigningDigest;
  readonly alias?: string | undefined;
};

const MAX_URL_CHARACTERS = 8_192;
const MAX_NAME_CHARACTERS = 100;
const CPF_CHARACTERS = 11;

const DIGEST_NAMES = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' } as const;

// XSS: a hub that fell into other hands must not get a script into a link.
const AuthUrl = z
  .string()
  .max(MAX_URL_CHARACTERS)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
  .transform((text) => new URL(text).href);

const Session = z.object({
  services: z.array(
    z
      .object({ serviceInfo: z.object({ serviceName: z.string(), provider: z.string() }), authUrl: AuthUrl })
      .transform(({ serviceInfo: { serviceName, provider }, authUrl }) => ({
        name: (provider || serviceName).slice(0, MAX_NAME_CHARACTERS).toWellFormed(),
        serviceName,
        authUrl,
      })),
  ),
});
const CertificateAnswer = z.object({ content: z.base64(), alias: z.string() });
const SignatureAnswer = z.base64().transform((text) => Buffer.from(text, 'base64'));

// The hub asks all providers, each for five seconds at most.
const CREATE_MS = 15_000;
const READ_MS = 10_000;
const CERTIFICATE_MS = 25_000;
// The holder may have to confirm at the provider.
const SIGN_MS = 120_000;

/**
 * A client of a hub of cloud certificates. Every call takes the deadline by which it must be over, and throws HubRefused
 * or HubUnreachable.
 * @example const hub = hubClient({ address: 'https://signing.example/hub', apiKey });
 *          const providers = await hub.createSession(request, deadlineIn(20_000, Date.now));
 */
export const hubClient = (access: HubAccess) => ({
  /** A session of a person or a company, at every provider that holds a certificate of theirs. */
  async createSession(
    { redirectUri, identifier, type, lifetimeSeconds, customState }: CreateSessionRequest,
    deadline: Deadline,
  ): Promise<readonly HubProvider[]> {
    const json = {
      ...{ redirectUri, type, lifetimeInSeconds: lifetimeSeconds, customState },
      ...(identifier === undefined
        ? { discover: false }
        : { identifier, identifierType: identifier.length > CPF_CHARACTERS ? 'CNPJ' : 'CPF' }),
    };
    const request = { path: '/api/sessions', json, answer: Session, timeoutMs: CREATE_MS };
    return (await callHub(access, request, deadline)).services;
  },

  /** The custom state of a session that was not used up, also of an expired one. */
  customStateOf: (session: string, deadline: Deadline): Promise<string | null> => {
    const path = `/api/sessions/custom-state?${new URLSearchParams({ session })}`;
    return callHub(access, { path, answer: z.string().nullable(), timeoutMs: READ_MS }, deadline);
  },

  /** The certificate that a session signs with. */
  async certificateOf(session: string, deadline: Deadline): Promise<HeldCertificate> {
    const path = `/api/v2/sessions/certificate?${new URLSearchParams({ session })}`;
    const request = { path, answer: CertificateAnswer, timeoutMs: CERTIFICATE_MS };
    const { content, alias } = await callHub(access, request, deadline);
    try {
      return { certificate: parseCertificate(Buffer.from(content, 'base64')), alias };
    } catch (cause) {
      if (!(cause instanceof CertificateMalformed)) throw cause;
      throw new HubUnreachable('The hub answered a certificate that cannot be read.', { cause });
    }
  },

  /** The signature of a hash. It may take two minutes. */
  signHash: (
    { session, hash, digest = 'sha256', alias }: SignHashRequest,
    deadline: Deadline,
  ): Promise<Buffer> => {
    const json = {
      ...{ session, hash: hash.toString('base64'), digestAlgorithm: DIGEST_NAMES[digest] },
      ...(alias !== undefined && { certificateAlias: alias }),
    };
    const request = { path: '/api/sessions/sign-hash', json, answer: SignatureAnswer, timeoutMs: SIGN_MS };
    return callHub(access, request, deadline);
  },
});
