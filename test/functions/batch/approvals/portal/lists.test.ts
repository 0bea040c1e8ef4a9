import { randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import { handler as exportList } from '../../../../../functions/batch/approvals/endpoints/export-approvals.ts';
import { handler as listDecided } from '../../../../../functions/batch/approvals/endpoints/list-decided.ts';
import { handler as listPending } from '../../../../../functions/batch/approvals/endpoints/list-pending.ts';
import type { JobApproval, Verdict } from '../../../../../functions/batch/jobs/domain/job/approval.ts';
import {
  listingDecided,
  listingPending,
} from '../../../../../functions/batch/jobs/domain/job/approver-lists.ts';
import { putProfile } from '../../../../../functions/batch/profiles/domain/change-profile.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { fileOf, payment, remittance } from '../../jobs/cnab240/remittance.ts';
import { ANA, BRUNO, personOf } from '../approval-stage.ts';
import { enterPortal, portalStage, titleOf } from './visit.ts';

const DAY_MS = 86_400_000;

const stage = await forFile(portalStage());

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

describe('the lists', () => {
  test('are empty for somebody who has nothing to decide', async () => {
    const idle = personOf(1);
    await putProfile('test', { name: 'idle', approval: { quorum: 1, approvers: [idle] } }, Date.now());
    const visit = await enterPortal(idle);
    expect(titleOf((await visit.visit(listPending)).text)).toBe('Nothing waits for you');
    expect(titleOf((await visit.visit(listDecided)).text)).toBe('You have decided nothing yet');
  });

  test('have the file, its total and its dates, and move a job with its decision', async () => {
    const job = await stage.parked('lista.rem', fileOf(remittance([payment('A', { value: 123_456 })])));
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
    const cut = await sheetOf({ list: 'pending' });
    expect(cut.match(/<row /g)).toHaveLength(1 + 5 + 1);
    expect(cut).toContain('A lista continua: esta planilha tem as primeiras 5 linhas.');
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

test('every page of the portal has the logo of the customer beside the name, where one is configured', async () => {
  const visit = await enterPortal(ANA);
  expect((await visit.visit(listDecided)).text).not.toContain('class="logo"');
  vi.stubEnv('Branding__CustomerLogo', '/somewhere/logo.png');
  const { text, headers } = await visit.visit(listDecided);
  vi.stubEnv('Branding__CustomerLogo', '');
  expect(text).toContain('<img class="logo" src="/batch/branding/customer-logo" alt="">');
  expect(headers['content-security-policy']).toContain("img-src 'self' data:");
});
