import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { type Certificate, CertificateMalformed, parseCertificate } from '../pki/certificate/certificate.ts';
import { callHub, type HubAccess } from './call.ts';
import { HubUnreachable } from './errors.ts';

export type CreateSessionRequest = {
  readonly redirectUri: string;
  readonly cpf: string;
  readonly lifetimeSeconds: number;
  /** Given back by the session. */
  readonly customState: string;
};

/** A provider that holds a certificate, and where its holder authorizes the session. */
export type HubProvider = { readonly name: string; readonly authUrl: string };

export type HeldCertificate = { readonly certificate: Certificate; readonly alias: string };

export type SignHashRequest = {
  readonly session: string;
  /** SHA-256. */
  readonly hash: Buffer;
  readonly alias?: string | undefined;
};

const MAX_URL_CHARACTERS = 8_192;
const MAX_NAME_CHARACTERS = 100;

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
  /** A session for one signature of a person, at every provider that holds a certificate of theirs. */
  async createSession(
    { redirectUri, cpf, lifetimeSeconds, customState }: CreateSessionRequest,
    deadline: Deadline,
  ): Promise<readonly HubProvider[]> {
    const json = {
      ...{ redirectUri, identifier: cpf, identifierType: 'CPF', type: 'SingleSignature' },
      ...{ lifetimeInSeconds: lifetimeSeconds, customState },
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

  /** The signature of a SHA-256 hash. It may take two minutes. */
  signHash: ({ session, hash, alias }: SignHashRequest, deadline: Deadline): Promise<Buffer> => {
    const json = {
      ...{ session, hash: hash.toString('base64'), digestAlgorithm: 'SHA-256' },
      ...(alias !== undefined && { certificateAlias: alias }),
    };
    const request = { path: '/api/sessions/sign-hash', json, answer: SignatureAnswer, timeoutMs: SIGN_MS };
    return callHub(access, request, deadline);
  },
});
