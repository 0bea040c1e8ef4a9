import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { approverSessions } from '../../../../functions/batch/approvals/approver-sessions.ts';
import {
  attempts,
  type SignatureOutcome,
} from '../../../../functions/batch/approvals/domain/signatures/attempt.ts';
import { handler as begin } from '../../../../functions/batch/approvals/endpoints/begin-cloud-signature.ts';
import { handler as returned } from '../../../../functions/batch/approvals/endpoints/return-from-cloud.ts';
import { signaturesOf } from '../../../../functions/batch/jobs/domain/job/approver-signatures.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { METRICS } from '../../../../functions/batch/operations/domain/metrics-table.ts';
import { seriesOf } from '../../../../functions/batch/operations/domain/series.ts';
import { authorities, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { POLICY } from '../../../../functions/sandbox/authority/domain/holders.ts';
import { issueCertificate } from '../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import { holderProfile } from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { placesOf } from '../../../../functions/sandbox/authority/domain/make-authority.ts';
import { seedProviders } from '../../../../infra/local/seed/providers.ts';
import { type Answered, call, lambdaContext, type Request } from '../../../requests/http-event.ts';
import { anotherKey } from '../../hub/another-key.ts';
import { comeBack, decideAtProvider, returnedQuery } from '../../hub/calls.ts';
import { serveHub } from '../../hub/hub-server.ts';
import { serveProviders } from '../../hub/providers-server.ts';
import { ANA, approvalStage, paid } from './approval-stage.ts';

type Person = { readonly email: string };
export type Browser = { readonly person: Person; readonly cookies: Map<string, string> };

/** Jobs that are approved by signatures, the real hub, and the sandbox's providers behind it. */
export async function cloudStage() {
  const stage = await approvalStage();
  const [providers, hub] = await Promise.all([serveProviders(), serveHub()]);
  vi.stubEnv('Http__PublicUrl', providers.url);
  vi.stubEnv('Log__Level', 'ERROR');
  vi.stubEnv('Providers__DiscoveryTimeout', '1');
  vi.stubEnv('Providers__CircuitFailures', '1');
  vi.stubEnv('ApproverPortal__LinkSecret', 'sinete-local-approver-link-secret-01');
  // The providers hold certificates of the authority that this service trusts.
  await authorities.put(stage.sandbox.authority);
  await seedProviders();
  vi.stubEnv('Hub__BaseAddress', hub.address);
  vi.stubEnv('Hub__ApiKey', await anotherKey('portal', [`${providers.url}/batch/approvals/cloud/return`]));
  await stage.profile({ name: 'assinada', format: 'Cades', checkCnab240: true, approval: stage.approval });
  const headersOf = ({ cookies }: Browser) => ({
    accept: 'text/html',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  return {
    ...stage,
    hub,
    /** A job that Ana, Bruno and Carla approve by signing. */
    async toSign() {
      const { id } = await stage.upload(`${randomUUID()}.rem`, paid(), { profile: 'assinada' });
      await stage.run();
      const job = await jobs.get(id);
      // As a profile whose approvers sign freezes it.
      if (job?.approval)
        await jobs.change(job, { approval: { ...job.approval, signerSet: 'ProfileAndApprovers' } });
      return id;
    },
    /** A browser in which somebody has opened their link. */
    async browserOf(person: Person): Promise<Browser> {
      const session = { address: person.email, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
      const cookie = await approverSessions.start(undefined, session, Date.now());
      return { person, cookies: new Map([['lbs-approver', cookie]]) };
    },
    async begin(browser: Browser, id: string, more: Request = {}, lifeMs?: number): Promise<Answered> {
      const headers = { ...headersOf(browser), 'content-type': 'application/x-www-form-urlencoded' };
      const request = { method: 'POST', params: { id }, body: '', ...more };
      const answer = await call(
        begin,
        { ...request, headers: { ...headers, ...more.headers } },
        lambdaContext(lifeMs),
      );
      for (const cookie of answer.cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        browser.cookies.set(name, value);
      }
      return answer;
    },
    /** Back at the portal, each time from an address of its own. Answers where it leads, below the portal. */
    async comeHome(
      browser: Browser | undefined,
      query: Record<string, string | string[]>,
      more: Request = {},
      lifeMs = 150_000,
    ): Promise<string> {
      const headers = { ...(browser && headersOf(browser)), ...more.headers };
      const context = lambdaContext(lifeMs);
      const answer = await call(returned, { address: randomUUID(), query, ...more, headers }, context);
      if (answer.status !== 303) throw new Error(`Not a redirect: ${answer.status} ${answer.text}`);
      return (answer.headers.location ?? '').replace(/^\/batch\/approvals\/?/, '');
    },
    /** The holder decides at the provider. Answers what the hub sends the browser back with. */
    async authorize(page: Answered, decision: 'approve' | 'deny' = 'approve') {
      const [, authUrl = ''] = /<a class="button wide" href="([^"]+)"/.exec(page.text) ?? [];
      const query = await decideAtProvider(authUrl.replaceAll('&amp;', '&'), decision);
      return returnedQuery(await comeBack(query));
    },
    signatures: async (id: string) => {
      const job = await stage.job(id);
      return job.approval ? signaturesOf(job, job.approval) : [];
    },
    /** How the attempts with cloud certificates have ended so far. */
    outcomes: async (): Promise<Record<string, number>> => {
      const counts = await metricsLedger.read(async (readNode) => readNode(''));
      const { outcome: outcomes } = METRICS.bulk_approver_signatures_total.labels;
      const seriesFor = (outcome: SignatureOutcome) =>
        seriesOf('bulk_approver_signatures_total', { outcome, means: 'cloud' });
      return Object.fromEntries(outcomes.map((outcome) => [outcome, counts.get(seriesFor(outcome)) ?? 0]));
    },
    attempt: (browser: Browser) => attempts.get(browser.cookies.get('lbs-cloud-attempt') ?? ''),
    /** A certificate of the sandbox's authority, for the key of one of its members. */
    certificateOf: (name: string) => signerOf(stage.sandbox.authority, name).certificate,
    /** One that names no CPF. It has the serial number of another, so that its status is known. */
    withoutCpf() {
      const { authority, url } = stage.sandbox;
      const [issuer, holder] = [signerOf(authority, 'intermediate'), signerOf(authority, 'alpha-3')];
      const { publicKey, notBeforeMs, notAfterMs, serialHex } = holder.certificate;
      return issueCertificate({
        subject: [
          ['country', 'BR'],
          ['commonName', 'SOMEBODY'],
        ],
        ...{ publicKey, issuer, notBeforeMs, notAfterMs },
        serialNumber: BigInt(`0x${serialHex}`),
        extensions: holderProfile({
          ...{ publicKey, issuerKey: issuer.privateKey, places: placesOf('intermediate', url) },
          ...{ holder: { email: 'somebody@sandbox.example' }, policies: [POLICY.A3] },
        }),
      });
    },
    async stop() {
      providers.stop();
      await hub.stop();
      await stage.stop();
    },
  };
}

export type CloudStage = Awaited<ReturnType<typeof cloudStage>>;

/** What tests of cloud signatures do again and again. */
export function cloudSteps(stage: () => CloudStage) {
  /** The attempts that ended meanwhile, by their outcome. */
  async function counted<T>(work: () => Promise<T>) {
    const before = await stage().outcomes();
    await work();
    const after = await stage().outcomes();
    return Object.fromEntries(
      Object.entries(after).flatMap(([outcome, count]) => {
        const more = count - (before[outcome] ?? 0);
        return more === 0 ? [] : [[outcome, more]];
      }),
    );
  }

  /** Ana has allowed the signature of a job, and is on her way back. */
  async function onTheWayBack(jobId?: string) {
    const id = jobId ?? (await stage().toSign());
    const browser = await stage().browserOf(ANA);
    const query = await stage().authorize(await stage().begin(browser, id));
    return { id, browser, query };
  }

  const decisionsOf = async (id: string) =>
    (await stage().job(id)).approval?.decisions.map(({ approver, isSigned, method }) => [
      approver.email,
      isSigned,
      method,
    ]);
  return { counted, onTheWayBack, decisionsOf };
}
