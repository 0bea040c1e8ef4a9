import type * as z from 'zod';
import { type Deadline, leftMs } from '../async/deadline.ts';
import { logger } from '../log/logger.ts';
import { askJson } from '../net/ask-json.ts';
import { FetchFailed } from '../net/errors.ts';
import { type Certificate, CertificateMalformed, parseCertificate } from '../pki/certificate/certificate.ts';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import { type AskRequest, FoundCertificates, QuestionAnswer, QuestionAsked } from './questions.ts';
import type { WorkstationValues } from './settings.ts';

/** The session server did not answer, or not in its protocol. */
class WorkstationsUnreachable extends Error {
  override readonly name = 'WorkstationsUnreachable';
}

// Certificates of a few tokens, or fifty signatures.
const MAX_ANSWER_BYTES = 262_144;
const TIMEOUT_MS = 15_000;

/**
 * The holders' workstations, for a service whose pages have people sign: the session server of its settings, another one
 * or this deployment's own. `failed` is for a server that does not answer.
 * @example const workstations = workstationsOf('documents', settings);
 */
export function workstationsOf(service: ServiceName, settings: WorkstationValues) {
  async function call<S extends z.ZodType>(path: string, json: unknown, shape: S, deadline: Deadline) {
    const root = settings['Workstations:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/session`;
    try {
      const { status, value } = await askJson({
        url: `${root}/workstations/${path}`,
        json,
        apiKey: settings['Workstations:ApiKey'],
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: Math.min(leftMs(deadline), TIMEOUT_MS),
      });
      const read = status === 200 ? shape.safeParse(value) : undefined;
      if (read?.success) return read.data;
      throw new WorkstationsUnreachable(`The session server answered ${status}, or in another shape.`);
    } catch (error) {
      if (!(error instanceof FetchFailed || error instanceof WorkstationsUnreachable)) throw error;
      logger(service).warn('The session server did not serve a workstation.', {
        path,
        reason: error.message,
      });
      return undefined;
    }
  }

  return {
    /** Whether tokens can sign. */
    isOffered: (): boolean => settings['Workstations:ApiKey'] !== '',

    /** The certificates of a person at workstations that are online. */
    async find(cpf: string, deadline: Deadline) {
      const found = await call('certificates', { cpf }, FoundCertificates, deadline);
      if (!found) return { state: 'failed', certificates: [] } as const;
      const certificates = found.certificates.flatMap(readCertificate);
      // A token may keep an expired certificate beside its renewal.
      const newestFirst = certificates.toSorted((a, b) => b.notAfterMs - a.notAfterMs);
      const state = found.state === 'online' ? 'ready' : found.state;
      return { state, certificates: newestFirst } as const;
    },

    /** Puts a question to the holder of a certificate. */
    ask: async (request: AskRequest, deadline: Deadline) =>
      (await call('questions', request, QuestionAsked, deadline)) ?? ({ state: 'failed' } as const),

    /** The holder's answer, once; `waiting` after some seconds without one. */
    answerTo: async (subject: string, questionId: string, deadline: Deadline) =>
      (await call('questions/answer', { subject, questionId }, QuestionAnswer, deadline)) ??
      ({ state: 'failed', signatures: [] } as const),
  };
}

function readCertificate(base64: string): Certificate[] {
  try {
    return [parseCertificate(Buffer.from(base64, 'base64'))];
  } catch (error) {
    if (error instanceof CertificateMalformed) return [];
    throw error;
  }
}
