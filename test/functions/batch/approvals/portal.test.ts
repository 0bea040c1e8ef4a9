import { randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expireApproval } from '../../../../functions/batch/approvals/domain/expire-approval.ts';
import { portalLinkOf } from '../../../../functions/batch/approvals/domain/portal-link.ts';
import { handler as exportList } from '../../../../functions/batch/approvals/endpoints/export-approvals.ts';
import { handler as getFile } from '../../../../functions/batch/approvals/endpoints/get-approval-file.ts';
import { handler as getJob } from '../../../../functions/batch/approvals/endpoints/get-approval-job.ts';
import { handler as getEnrolment } from '../../../../functions/batch/approvals/endpoints/get-second-factor.ts';
import { handler as leave } from '../../../../functions/batch/approvals/endpoints/leave-portal.ts';
import { handler as listDecided } from '../../../../functions/batch/approvals/endpoints/list-decided.ts';
import { handler as listPending } from '../../../../functions/batch/approvals/endpoints/list-pending.ts';
import type { JobApproval, Verdict } from '../../../../functions/batch/jobs/domain/job/approval.ts';
import {
  listingDecided,
  listingPending,
} from '../../../../functions/batch/jobs/domain/job/approver-lists.ts';
import { jobs, requireJob, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { handler as listJobs } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../shared/files/files.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { call } from '../../../http-event.ts';
import { givenSession, withCookie } from '../auth/operator.ts';
import { complement, fileOf, payment, remittance } from '../jobs/cnab240/remittance.ts';
import { ANA, type ApprovalStage, approvalStage, BRUNO, CARLA, paid, personOf } from './approval-stage.ts';
import { BROWSER, enterPortal, followLink, LINK_SECRET, tokenOf } from './portal-visit.ts';

const DAY_MS = 86_400_000;

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await approvalStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.useRealTimers();
});

const content = (...details: readonly string[]): Buffer => fileOf(remittance(details));
const titleOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];
const rowsIn = (text: string): number => text.match(/<tr role="row"/g)?.length ?? 0;

/** A time three hours behind UTC, as Brazilians write it. */
const inSaoPaulo = (ms: number): string => {
  const [, year, month, day, time] =
    /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(new Date(ms - 3 * 3_600_000).toISOString()) ?? [];
  return `${day}/${month}/${year}, ${time}`;
};

/** An approval rule of one person alone, for rows that are written by hand. */
const soloApproval = (person: typeof ANA, parkedAtMs: number): JobApproval => ({
  quorum: 1,
  signerSet: 'Profile',
  approvers: [person],
  contentSha256: '0'.repeat(64),
  parkedAtMs,
  expiresAfterSeconds: null,
  decisions: [],
});
const listed = (fileName: string) => ({
  id: randomUUID(),
  fileName,
  profileName: 'aprovacao',
  cnab240: null,
});
const decidedAt = (approver: typeof ANA, decidedAtMs: number, verdict: Verdict = 'approved') => ({
  ...{ approver, verdict, reason: null, method: 'LinkDerivedEmail' as const, isSigned: false },
  ...{ contentSha256: '', decidedAtMs, ipAddress: '', userAgent: '' },
});

describe('the link', () => {
  test('is exchanged for the cookie of a session, and leaves the address bar', async () => {
    expect(new URL(portalLinkOf('ANA@sandbox.example') ?? '').pathname).toBe(
      `/batch/approvals/link/${tokenOf(ANA.email)}`,
    );
    const { status, headers, cookies } = await followLink(tokenOf(ANA.email));
    expect([status, headers.location]).toEqual([303, '/batch/approvals']);
    expect(cookies[0]).toMatch(
      /^lbs-approver=[\w-]{43}; Max-Age=2592000; Path=\/batch; HttpOnly; SameSite=Lax$/,
    );
  });

  test.each([
    ['of another secret', () => tokenOf(ANA.email, 'another-approver-link-secret-000')],
    ['of an address that no profile has named', () => tokenOf('guessed@sandbox.example')],
    ['that is an address', () => ANA.email],
    ['that is cut', () => tokenOf(ANA.email).slice(0, -1)],
    ['that is empty', () => ''],
  ])('%s opens nothing, and does not say why', async (_, token) => {
    const { status, text, cookies } = await followLink(token());
    expect([status, titleOf(text), cookies]).toEqual([404, 'This link does not work', []]);
  });

  test('is none where no secret is set: neither made nor accepted', async () => {
    vi.stubEnv('ApproverPortal__LinkSecret', '');
    expect(portalLinkOf(ANA.email)).toBeUndefined();
    expect((await followLink(tokenOf(ANA.email, ''))).status).toBe(404);
    expect((await followLink(tokenOf(ANA.email))).status).toBe(404);
  });
});

describe('the session of an approver', () => {
  test('lasts 30 days after its last use', async () => {
    const startMs = Date.now();
    stage.stopClock(startMs);
    const ana = await enterPortal(ANA);
    for (const days of [29, 58, 87]) {
      stage.stopClock(startMs + days * DAY_MS);
      expect((await ana.visit(listPending)).status).toBe(200);
    }
    stage.stopClock(startMs + 118 * DAY_MS);
    expect((await ana.visit(listPending)).status).toBe(401);
  });

  test('ends with another link secret, and when its person leaves', async () => {
    const ana = await enterPortal(ANA);
    vi.stubEnv('ApproverPortal__LinkSecret', 'another-approver-link-secret-000');
    expect((await ana.visit(listPending)).status).toBe(401);
    vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
    const { status, cookies } = await ana.visit(leave, { method: 'POST' });
    expect([status, cookies[0]]).toEqual([303, expect.stringContaining('lbs-approver=; Max-Age=0')]);
    expect((await ana.visit(listPending)).status).toBe(401);
  });

  test('is renewed in the browser by every page, and by nothing that a script gets', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    const renewal = `lbs-approver=${ana.cookie}; Max-Age=2592000; Path=/batch; HttpOnly; SameSite=Lax`;
    const own = async (answer: ReturnType<typeof ana.visit>) =>
      (await answer).cookies.filter((line) => line.startsWith('lbs-approver='));
    for (const handler of [listPending, listDecided, getEnrolment])
      expect(await own(ana.visit(handler))).toEqual([renewal]);
    for (const lang of ['en', 'pt-BR']) expect(await own(ana.job(job.id, { lang }))).toEqual([renewal]);
    expect(await own(ana.decide(job.id, { decision: 'approved' }))).toEqual([renewal]);
    const script = { Accept: 'application/json' };
    for (const [handler, params] of [
      [listPending, {}],
      [getJob, { id: job.id }],
      [getJob, { id: randomUUID() }],
      [exportList, { list: 'pending' }],
    ] as const)
      expect(await own(ana.visit(handler, { params, headers: script }))).toEqual([]);
    expect(await own(ana.visit(leave, { method: 'POST' }))).toEqual([
      'lbs-approver=; Max-Age=0; Path=/batch; HttpOnly; SameSite=Lax',
    ]);
    // A browser that still sends it is not given it back.
    expect(await own(ana.visit(listPending))).toEqual([]);
  });

  test('never opens a route of operators, not even in their cookie', async () => {
    const { cookie } = await enterPortal(ANA);
    for (const name of ['lbs-approver', 'lbs-auth']) {
      const headers = { Cookie: `${name}=${cookie}` };
      expect((await call(listJobs, { headers, address: randomUUID() })).status).toBe(401);
    }
  });

  test('is none of an operator: their cookie and their key open no page of the portal', async () => {
    const session = await givenSession();
    expect((await call(listJobs, withCookie(session))).status).toBe(200);
    for (const [name, value] of [
      ['Cookie', `lbs-auth=${session}`],
      ['Cookie', `lbs-approver=${session}`],
      ['X-API-Key', SANDBOX_KEY],
    ] as const) {
      const { status, text } = await call(listPending, { headers: { ...BROWSER, [name]: value } });
      expect([status, titleOf(text)]).toEqual([401, 'Sign in to see your approvals']);
    }
  });

  test.each([
    ['links', LINK_SECRET, undefined, ['Open the link']],
    ['a provider', '', 'https://idp.example', ['Sign in with your organization']],
    ['both', LINK_SECRET, 'https://idp.example', ['Open the link', 'Sign in with your organization']],
    ['neither', '', undefined, ['Nobody can sign in here yet. Ask whoever runs this service']],
  ])('is got as the page says, where there are %s', async (_, secret, authority, ways) => {
    vi.stubEnv('ApproverPortal__LinkSecret', secret);
    vi.stubEnv('Idp__Authority', authority);
    const { text } = await call(listPending, { headers: BROWSER });
    vi.stubEnv('Idp__Authority', undefined);
    const all = ['Open the link', 'Sign in with your organization', 'Nobody can sign in here yet'];
    for (const way of ways) expect(text).toContain(way);
    expect(all.filter((way) => text.includes(way))).toHaveLength(ways.length);
  });

  test('is asked of a program by a problem, not by a page', async () => {
    const { status, json } = await call(listPending, { headers: { Accept: 'application/json' } });
    expect([status, json()]).toMatchObject([401, { code: 'auth.invalid-credentials' }]);
  });
});

describe('the lists', () => {
  test('are empty for somebody who has nothing to decide', async () => {
    const idle = personOf(1);
    await putProfile('test', { name: 'idle', approval: { quorum: 1, approvers: [idle] } }, Date.now());
    const visit = await enterPortal(idle);
    expect(titleOf((await visit.visit(listPending)).text)).toBe('Nothing waits for you');
    expect(titleOf((await visit.visit(listDecided)).text)).toBe('You have decided nothing yet');
  });

  test('have the file, its total and its dates, and move a job with its decision', async () => {
    const job = await stage.parked('lista.rem', content(payment('A', { value: 123_456 })));
    const ana = await enterPortal(ANA);
    const { text } = await ana.visit(listPending);
    expect(text).toContain(`/batch/approvals/jobs/${job.id}">lista.rem</a>`);
    for (const shown of ['R$ 1.234,56', 'Dec 31, 2099']) expect(text).toContain(shown);
    const parkedAtMs = job.approval?.parkedAtMs ?? 0;
    const inPortuguese = (await ana.visit(listPending, { query: { lang: 'pt-BR' } })).text;
    for (const ms of [parkedAtMs, parkedAtMs + 2 * DAY_MS]) expect(inPortuguese).toContain(inSaoPaulo(ms));
    await ana.decide(job.id, { decision: 'approved' });
    expect((await ana.visit(listPending)).text).not.toContain(job.id);
    const decided = (await ana.visit(listDecided)).text;
    expect(decided).toContain('lista.rem');
    expect(decided).toContain('<span class="badge approved">Approved</span>');
    // Bruno has not decided.
    expect((await (await enterPortal(BRUNO)).visit(listPending)).text).toContain(job.id);
  });

  test('show 200 rows and say that there are more; the spreadsheet has all, each cell as text', async () => {
    const busy = personOf(2);
    await putProfile('test', { name: 'busy', approval: { quorum: 1, approvers: [busy] } }, Date.now());
    const writes = Array.from({ length: 201 }, (_, n) =>
      listingPending(listed(`=cmd|${n}.rem`), soloApproval(busy, Date.now() - 1_000 + n)),
    ).flat();
    for (let from = 0; from < writes.length; from += 50) await commit(writes.slice(from, from + 50));
    const visit = await enterPortal(busy);
    const { text } = await visit.visit(listPending);
    expect(rowsIn(text)).toBe(1 + 200);
    expect(text).toContain('Only the first 200 are shown.');
    const sheetOf = async (params: { list: string }) => {
      const { bytes, headers } = await visit.visit(exportList, { params, query: { lang: 'pt-BR' } });
      expect(headers['content-disposition']).toContain(`${params.list}.xlsx`);
      return Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? []).toString();
    };
    const sheet = await sheetOf({ list: 'pending' });
    expect(sheet.match(/<row /g)).toHaveLength(1 + 201);
    expect(sheet).toContain('Datas de pagamento');
    expect(sheet).toContain('t="inlineStr"><is><t xml:space="preserve">=cmd|200.rem');
    expect(sheet).not.toContain('<f>');
    vi.stubEnv('Export__MaxRows', '5');
    expect((await sheetOf({ list: 'pending' })).match(/<row /g)).toHaveLength(1 + 5);
    vi.stubEnv('Export__MaxRows', '50000');
    expect((await sheetOf({ list: 'decided' })).match(/<row /g)).toHaveLength(1);
    expect((await visit.visit(exportList, { params: { list: 'all' } })).status).toBe(404);
  });

  test('have the decisions of 90 days', async () => {
    const past = personOf(3);
    await putProfile('test', { name: 'past', approval: { quorum: 1, approvers: [past] } }, Date.now());
    const approval = soloApproval(past, Date.now());
    for (const [name, days] of [
      ['old.rem', 91],
      ['new.rem', 89],
    ] as const)
      await commit(listingDecided(listed(name), approval, decidedAt(past, Date.now() - days * DAY_MS)));
    const { text } = await (await enterPortal(past)).visit(listDecided);
    expect([text.includes('new.rem'), text.includes('old.rem')]).toEqual([true, false]);
  });
});

describe('the page of a job', () => {
  test('shows what is paid, to whom, when and how much, and who decides', async () => {
    const job = await stage.parked(
      'detalhe.rem',
      content(
        payment('A', { value: 123_456 }, { 44: 'JOSÉ & <b>FILHOS</b>' }),
        complement('B'),
        payment('O', { value: 5, movement: '9' }),
      ),
    );
    await stage.decide(job.id, { email: BRUNO.email });
    const { status, text, headers } = await (await enterPortal(ANA)).job(job.id);
    expect(status).toBe(200);
    for (const shown of [
      ...['detalhe.rem', 'R$ 1.234,56', 'JOSÉ &amp; &lt;b&gt;FILHOS&lt;/b&gt;', '***.982.247-**'],
      ...['Bank 001, branch 1234, account 54321', 'Dec 31, 2099', 'cancels an earlier payment'],
      ...['84610000001234500001234567890123456789012345', job.approval?.contentSha256 ?? ''],
      ...['2 of 3 people must approve', '1 of 2 approvals', ANA.name, BRUNO.name, 'aprovacao'],
      'Approve R$ 1.234,56',
    ])
      expect(text).toContain(shown);
    for (const hidden of [BRUNO.email, CARLA.email, '52998224725', '529.982.247-25', '47363361886'])
      expect(text).not.toContain(hidden);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('script-src');
  });

  test('is the same page for any id that is not of a job of the visitor', async () => {
    const stranger = personOf(4);
    const approval = { quorum: 1, approvers: [stranger] };
    await stage.profile({ name: 'outros', checkCnab240: true, preserveFileExtension: true, approval });
    const { id } = await stage.upload('outros.rem', paid(), { profile: 'outros' });
    const plain = await stage.upload('plain.bin', 'x');
    await stage.run();
    expect((await (await enterPortal(stranger)).job(id)).status).toBe(200);
    const ana = await enterPortal(ANA);
    const pages = await Promise.all(
      [id, plain.id, randomUUID(), 'not-an-id', '..', ''].map((each) => ana.job(each)),
    );
    for (const { status, text } of pages) {
      expect(status).toBe(404);
      expect(text).toBe(pages[0]?.text);
      expect(text).toContain('job.not-found');
    }
    for (const each of [id, randomUUID()]) {
      expect((await ana.visit(getFile, { params: { id: each } })).status).toBe(404);
      expect((await ana.decide(each, { decision: 'approved' })).status).toBe(404);
    }
    expect((await stage.job(id)).approval?.decisions).toEqual([]);
  });

  test('finds payments by payee, document, account and value, in any case and without accents', async () => {
    const job = await stage.parked(
      'busca.rem',
      content(
        payment('A', { value: 123_456 }, { 44: 'JOSÉ CONCEIÇÃO' }),
        complement('B'),
        payment('A', { value: 987 }, { 44: 'PADARIA', 30: '000000099887' }),
        payment('J', { value: 55_00 }),
      ),
    );
    const ana = await enterPortal(ANA);
    const found = async (q: string) => {
      const { text } = await ana.job(job.id, { q });
      return ['CONCEI', 'PADARIA', 'CEDENTE'].filter((name) =>
        text.includes(`"file">${name === 'CONCEI' ? 'JOSÉ CONCEI' : name}`),
      );
    };
    expect(await found('')).toEqual(['CONCEI', 'PADARIA', 'CEDENTE']);
    for (const q of ['josé', 'jose conceicao', '52998224725', '529.982.247-25', '1.234,56', '1234.56'])
      expect([q, await found(q)]).toEqual([q, ['CONCEI']]);
    expect(await found('99887')).toEqual(['PADARIA']);
    expect(await found('00191876500000123450000001234567890123456789')).toEqual(['CEDENTE']);
    expect(await found('nobody')).toEqual([]);
    expect((await ana.job(job.id, { q: '"><script>' })).text).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  test('lists a hundred payments a page; a page that does not exist is the last one', async () => {
    const payees = Array.from({ length: 205 }, (_, n) =>
      payment('A', { value: n + 1 }, { 44: `PAYEE-${n};` }),
    );
    const job = await stage.parked('paginas.rem', content(...payees));
    const ana = await enterPortal(ANA);
    const shown = async (page: string) =>
      [...(await ana.job(job.id, { page })).text.matchAll(/PAYEE-(\d+);/g)].map(([, n]) => Number(n));
    expect(await shown('1')).toHaveLength(100);
    expect((await shown('2'))[0]).toBe(100);
    for (const page of ['3', '4', '999999999']) expect(await shown(page)).toEqual([200, 201, 202, 203, 204]);
    for (const page of ['0', '-1', 'x', '1e9', '9'.repeat(40)]) expect((await shown(page))[0]).toBe(0);
  });

  test('lists nothing and offers no approval where the staged copy was changed', async () => {
    const job = await stage.parked('mudado.rem', content(payment('A', { value: 1 })));
    const ana = await enterPortal(ANA);
    for (const changed of [
      content(payment('A', { value: 2 }, { 44: 'INTRUDER' })),
      Buffer.from('no remittance'),
    ]) {
      await files('batch').put(stagedKey(job), changed, { contentType: 'text/plain' });
      const { text } = await ana.job(job.id);
      expect(text).toContain('The file is not the one that was submitted for approval');
      expect(text).not.toContain('INTRUDER');
      expect(text).not.toContain('value="approved"');
      expect(text).toContain('value="rejected"');
    }
    expect((await ana.decide(job.id, { decision: 'rejected', reason: 'Changed.' })).status).toBe(303);
  });

  test('gives the staged bytes as a download that cannot run', async () => {
    const bytes = content(payment('A', { value: 77 }));
    const job = await stage.parked('baixar.rem', bytes);
    const answer = await (await enterPortal(CARLA)).visit(getFile, { params: { id: job.id } });
    expect(answer.bytes).toEqual(bytes);
    expect(answer.headers).toMatchObject({
      'content-disposition': expect.stringContaining('attachment; filename="baixar.rem"'),
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  test('gives no download of a staged copy that was changed', async () => {
    const job = await stage.parked('trocado.rem', content(payment('A', { value: 1 })));
    const ana = await enterPortal(ANA);
    const intruder = content(payment('A', { value: 1 }, { 44: 'INTRUDER' }));
    expect(intruder).toHaveLength(content(payment('A', { value: 1 })).length);
    await files('batch').put(stagedKey(job), intruder, { contentType: 'text/plain' });
    const { status, text, headers } = await ana.visit(getFile, { params: { id: job.id } });
    expect([status, titleOf(text)]).toEqual([404, 'That did not work']);
    expect(headers).not.toHaveProperty('content-disposition');
    expect(text).not.toContain('INTRUDER');
  });

  test('shows the state and the decisions of a job that waits no more, without the form', async () => {
    const ana = await enterPortal(ANA);
    const job = await stage.parked('estado.rem');
    const shownAs = async (id: string) => {
      const { text } = await ana.job(id);
      expect(text).not.toContain('name="decision"');
      return /<p class="badge \w+">(.*?)<\/p>/.exec(text)?.[1];
    };
    await stage.decide(job.id, { email: BRUNO.email });
    await stage.decide(job.id, { email: CARLA.email });
    expect(await shownAs(job.id)).toBe('Approved; being signed');
    await stage.run();
    expect(await shownAs(job.id)).toBe('Approved and signed');
    const rejected = await stage.parked('rejeitado.rem');
    await stage.decide(rejected.id, { email: BRUNO.email, decision: 'rejected', reason: 'Wrong payee.' });
    expect(await shownAs(rejected.id)).toBe('Rejected');
    expect((await ana.job(rejected.id)).text).toContain('<q>Wrong payee.</q>');
    const expired = await stage.parked('expirado.rem');
    stage.stopClock(Date.now() + 2 * DAY_MS + 1_000);
    expect(await shownAs(expired.id)).toBe('Expired before enough people approved');
    await expireApproval(expired.id, Date.now());
    expect(await shownAs(expired.id)).toBe('Expired before enough people approved');
    expect((await ana.visit(getFile, { params: { id: expired.id } })).status).toBe(404);
  });
});

describe('a decision in the portal', () => {
  test('is recorded by the method of the session, and confirmed on the page of the job', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    const { status, headers } = await ana.decide(job.id, { decision: 'approved' });
    expect([status, headers.location]).toEqual([303, `/batch/approvals/jobs/${job.id}?recorded=approved`]);
    expect((await stage.job(job.id)).approval?.decisions).toMatchObject([
      { approver: ANA, verdict: 'approved', method: 'LinkDerivedEmail', reason: null },
    ]);
    const { text } = await ana.job(job.id, { recorded: 'approved' });
    expect(text).toContain('Your approval was recorded.');
    expect(text).not.toContain('name="decision"');
  });

  test('is not confirmed by an address that lies', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    expect((await ana.job(job.id, { recorded: 'approved' })).text).not.toContain('was recorded');
    await ana.decide(job.id, { decision: 'approved' });
    expect((await ana.job(job.id, { recorded: 'rejected' })).text).not.toContain('was recorded');
    const bruno = await enterPortal(BRUNO);
    expect((await bruno.job(job.id, { recorded: 'approved' })).text).not.toContain('was recorded');
  });

  test('to reject needs a reason, and says so at the field', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    for (const reason of ['', ' \r\n ']) {
      const { status, text } = await ana.decide(job.id, { decision: 'rejected', reason });
      expect(status).toBe(400);
      expect(text).toContain('aria-describedby="reason-problem reason-hint" aria-invalid="true"');
      expect(text).toContain('Write why you reject the file.');
    }
    const long = await ana.decide(job.id, { decision: 'rejected', reason: `<i>${'x'.repeat(512)}` });
    expect(long.status).toBe(400);
    expect(long.text).toContain('The reason is too long.');
    expect(long.text).toContain(`&lt;i&gt;${'x'.repeat(512)}</textarea>`);
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    // A browser counts a line break as one character and sends two.
    const lines = `${'\r\n'.repeat(10)}`;
    const reason = `a${lines}${'b'.repeat(512 - 11)}`;
    expect((await ana.decide(job.id, { decision: 'rejected', reason })).status).toBe(303);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Canceled', isRejected: true });
  });

  test.each(['maybe', ''])('of "%s" is none', async (decision) => {
    const job = await stage.parked();
    const { status, text } = await (await enterPortal(ANA)).decide(job.id, { decision });
    expect([status, text.includes('Choose whether you approve or reject.')]).toEqual([400, true]);
  });

  test('that comes too late or twice is refused on the page of the job', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    await ana.decide(job.id, { decision: 'approved' });
    const twice = await ana.decide(job.id, { decision: 'rejected', reason: 'No.' });
    expect([twice.status, titleOf(twice.text)]).toEqual([409, job.fileName]);
    expect(twice.text).toContain('A decision is final.');
    await stage.decide(job.id, { email: BRUNO.email });
    const late = await (await enterPortal(CARLA)).decide(job.id, { decision: 'approved' });
    expect([late.status, late.text.includes('no longer waits for a decision')]).toEqual([409, true]);
  });

  test('posted from another site is refused, with the cookie and all', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    for (const site of ['cross-site', 'same-site']) {
      const { status, text } = await ana.decide(job.id, { decision: 'approved' }, { 'Sec-Fetch-Site': site });
      expect([status, text.includes('auth.cross-origin')]).toEqual([403, true]);
    }
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    const program = { Accept: 'application/json', 'Sec-Fetch-Site': 'cross-site' };
    expect((await ana.decide(job.id, { decision: 'approved' }, program)).json()).toMatchObject({
      code: 'auth.cross-origin',
    });
  });

  test('that is no form is refused by a page', async () => {
    const job = await stage.parked();
    const { status, text } = await (await enterPortal(ANA)).decide(
      job.id,
      {},
      { 'Content-Type': 'text/plain' },
    );
    expect([status, text.includes('request.media-type')]).toEqual([415, true]);
  });

  test('to approve takes a signature where the signer set has approvers; to reject takes none', async () => {
    const { id } = await stage.parked();
    const stored = await requireJob(id);
    if (!stored.approval) throw new Error('The job waits for approval.');
    await jobs.change(stored, { approval: { ...stored.approval, signerSet: 'ProfileAndApprovers' } });
    const ana = await enterPortal(ANA);
    const { text } = await ana.job(id);
    expect([text.includes('value="approved"'), text.includes('value="rejected"')]).toEqual([false, true]);
    const refused = await ana.decide(id, { decision: 'approved' });
    expect([refused.status, refused.text.includes('you sign it with your certificate')]).toEqual([403, true]);
    expect((await ana.decide(id, { decision: 'rejected', reason: 'No.' })).status).toBe(303);
  });

  test('needs a session', async () => {
    const job = await stage.parked();
    const { status } = await call(getJob, { params: { id: job.id }, headers: BROWSER });
    expect(status).toBe(401);
  });
});
