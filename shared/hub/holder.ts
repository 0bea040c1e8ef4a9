import type { Deadline } from '../async/deadline.ts';
import type { Cookie } from '../http/response/answer.ts';
import type { Certificate } from '../pki/certificate/certificate.ts';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Cloud } from './cloud.ts';
import { HubRefused } from './errors.ts';
import { afterEvent, type CloudVisit, newVisit, VISIT_MS, visitCookie, visitOf, visitsIn } from './visit.ts';

/** How a page stands with the cloud certificate of its person. */
export type CloudState = 'none' | 'away' | 'denied' | 'failed' | 'expired' | 'ready';

/** A result with the cookies that its answer sets. */
type Remembered<T> = T & { readonly cookies: readonly Cookie[] };

type Page = {
  /** The path of the page, by which the browser finds its visit. */
  readonly back: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
};

export type BeginVisit = Page & {
  readonly language: string;
  /** The CPF of the person who is to sign, or the CNPJ of the company. Undefined: they choose among all providers. */
  readonly identifier: string | undefined;
  readonly documents: number;
};

// Tabs in which somebody signs at once. A browser sends all of its cookies with every request, and no more than a few KB.
const MAX_OTHER_VISITS = 4;

/** Where the hub sends people back to. It is registered there for our key, to the letter. */
const returnUri = (service: ServiceName): string =>
  `${commonSettings['Http:PublicUrl']}/${service}/cloud/return`;

/**
 * Signing with a cloud certificate at the page of a service: begin, come back, see the certificate, sign.
 * @example const holder = cloudHolder('documents', cloud);
 *          const begun = await holder.begin({ back, cookies, language, identifier: cpf, documents: 1 }, deadline);
 */
export const cloudHolder = (service: ServiceName, cloud: Cloud) => {
  const remember = (visit: CloudVisit) => [visitCookie(service, visit)];

  /** The visit of a page that may sign, or how it stands. */
  function openVisit({ back, cookies }: Page, nowMs: number) {
    const visit = visitOf(back, cookies);
    if (!visit) return 'none';
    if (nowMs >= visit.expiresAtMs && visit.state !== 'Denied') return 'expired';
    const { session } = visit;
    if (visit.state === 'Allowed' && session !== undefined) return { visit, session };
    return visit.state === 'Denied' ? 'denied' : visit.state === 'Away' ? 'away' : 'failed';
  }

  const failureOf = (error: unknown, visit: CloudVisit): Remembered<{ state: 'expired' | 'failed' }> => {
    cloud.logFailure(error, {});
    // A hub that did not answer says nothing of the session: the visit stays, and a later look tells.
    if (!(error instanceof HubRefused)) return { state: 'failed', cookies: [] };
    const state = error.code === 'SessionExpired' ? 'expired' : 'failed';
    return { state, cookies: remember(afterEvent(visit, 'failed')) };
  };

  return {
    /** The providers that hold a certificate of the person, each with the address where the signature is allowed. */
    async begin({ back, cookies, language, identifier, documents }: BeginVisit, deadline: Deadline) {
      const visit = newVisit({ back, language }, deadline.now());
      const request = {
        redirectUri: returnUri(service),
        identifier,
        type: documents > 1 ? ('SignatureSession' as const) : ('SingleSignature' as const),
        lifetimeSeconds: VISIT_MS / 1000,
        customState: visit.id,
      };
      const begun = await cloud.begin(request, {}, deadline);
      const forgotten = visitsIn(cookies)
        .filter((each) => each.back !== back)
        .slice(MAX_OTHER_VISITS)
        .map((each) => visitCookie(service, each, true));
      return { ...begun, cookies: begun.outcome === 'begun' ? [...remember(visit), ...forgotten] : [] };
    },

    /** How the page stands, with the certificate where the person has allowed the signature. */
    async look(
      page: Page,
      deadline: Deadline,
    ): Promise<Remembered<{ state: CloudState; certificates: readonly Certificate[] }>> {
      const open = openVisit(page, deadline.now());
      if (typeof open === 'string') return { state: open, certificates: [], cookies: [] };
      try {
        const { certificate } = await cloud.hub.certificateOf(open.session, deadline);
        return { state: 'ready', certificates: [certificate], cookies: [] };
      } catch (error) {
        return { ...failureOf(error, open.visit), certificates: [] };
      }
    },

    /**
     * Signs with the session of the page. `sign` prepares and completes; between them it has the hub sign the hash. The
     * visit ends with `isLast`.
     */
    async sign<T>(
      page: Page,
      sign: (
        certificate: Certificate,
        signHash: (hash: Buffer) => Promise<Buffer>,
      ) => Promise<{ readonly result: T; readonly isLast: boolean }>,
      deadline: Deadline,
    ): Promise<Remembered<{ state: 'signed'; result: T } | { state: Exclude<CloudState, 'ready'> }>> {
      const open = openVisit(page, deadline.now());
      if (typeof open === 'string') return { state: open, cookies: [] };
      const { visit, session } = open;
      try {
        const { certificate, alias } = await cloud.hub.certificateOf(session, deadline);
        const signHash = (hash: Buffer) => cloud.hub.signHash({ session, hash, alias }, deadline);
        const { result, isLast } = await sign(certificate, signHash);
        return { state: 'signed', result, cookies: isLast ? [visitCookie(service, visit, true)] : [] };
      } catch (error) {
        return failureOf(error, visit);
      }
    },
  };
};
