import * as z from 'zod';
import { Unavailable } from '../errors/errors.ts';
import { askJson } from '../net/ask-json.ts';
import { FetchFailed } from '../net/errors.ts';
import { commonSettings } from '../settings/common.ts';
import type { Identity } from './member.ts';
import type { PkiCoreValues } from './settings.ts';

const Prepared = z.object({ state: z.string().max(200), toSign: z.object({ data: z.base64().max(4_096) }) });

const Completed = z.object({
  success: z.boolean(),
  certificate: z
    .object({ pkiBrazil: z.object({ cpf: z.string().nullable(), cnpj: z.string().nullable() }) })
    .nullable(),
});

type Proof = { readonly state: string; readonly certificate: string; readonly signature: string };

export type CertificateLogIn = ReturnType<typeof certificateLogIn>;

/** The log-in with a certificate, through the PKI core that the settings name. */
export function certificateLogIn(settings: PkiCoreValues) {
  return {
    /** Whether people log in with a certificate: this deployment may ask a PKI core to authenticate them. */
    asksForCertificates: (): boolean => settings['PkiCore:ApiKey'] !== '',

    /** What the key of a certificate is to sign, and the state that completes it, once. */
    async prepareCertificateLogIn(): Promise<{ readonly state: string; readonly data: string }> {
      const securityContextId = settings['PkiCore:SecurityContextId'];
      const { status, value } = await askPkiCore(
        settings,
        '',
        securityContextId === undefined ? {} : { securityContextId },
      );
      const read = Prepared.safeParse(value);
      if (status !== 200 || !read.success) throw new Unavailable(`The PKI core answered ${status}.`);
      return { state: read.data.state, data: read.data.toSign.data };
    },

    /**
     * Who the certificate is of; undefined where the proof is not right. The certificate of a company proves nobody: those who
     * keep its key, such as an accountant, are often not the person whom it names.
     */
    async completeCertificateLogIn(proof: Proof): Promise<Identity | undefined> {
      const { status, value } = await askPkiCore(settings, '/completion', proof);
      if (status >= 500 || [401, 403, 429].includes(status))
        throw new Unavailable(`The PKI core answered ${status}.`);
      const read = Completed.safeParse(value);
      if (status !== 200 || !read.success || !read.data.success) return undefined;
      const { cpf = null, cnpj = null } = read.data.certificate?.pkiBrazil ?? {};
      return cpf === null || cnpj !== null ? undefined : { kind: 'cpf', value: cpf.replaceAll(/\D/g, '') };
    },
  };
}

const MAX_ANSWER_BYTES = 262_144;
// A person waits, and the core may look for revocation data. It fits the 29 s of API Gateway.
const TIMEOUT_MS = 20_000;

function askPkiCore(settings: PkiCoreValues, path: string, json: object) {
  const root = settings['PkiCore:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/pki`;
  return askJson({
    url: `${root}/api/v2/authentication${path}`,
    json,
    apiKey: settings['PkiCore:ApiKey'],
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw error instanceof FetchFailed ? new Unavailable(error.message) : error;
  });
}
