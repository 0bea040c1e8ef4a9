import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expireApproval } from '../../../../../functions/batch/approvals/domain/expire-approval.ts';
import { handler as getFile } from '../../../../../functions/batch/approvals/endpoints/get-approval-file.ts';
import { handler as getSigned } from '../../../../../functions/batch/approvals/endpoints/get-approval-output.ts';
import { handler as listPending } from '../../../../../functions/batch/approvals/endpoints/list-pending.ts';
import { cancelJob } from '../../../../../functions/batch/jobs/domain/cancel-job.ts';
import { settleFilesOf } from '../../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { stagedKey } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../../shared/files/files.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { operatorVisitor } from '../../dashboard/operator-visitor.ts';
import { complement, fileOf, payment, remittance, withLotSums } from '../../jobs/cnab240/remittance.ts';
import { OPERATOR } from '../../jobs/jobs-in-state.ts';
import { ANA, BRUNO, CARLA, paid, personOf } from '../approval-stage.ts';
import { enterPortal, portalStage, titleOf } from './visit.ts';

const DAY_MS = 86_400_000;

const stage = await forFile(portalStage());
afterEach(() => {
  vi.useRealTimers();
});

const content = (...details: readonly string[]): Buffer => fileOf(remittance(details));

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
    expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self';");
    expect(text).toMatch(new RegExp(`id="approval-file" data-address="[^"]*/approvals/jobs/${job.id}/file"`));
  });

  test('approves by a second tap, beside the amount and the number of payments', async () => {
    const job = await stage.parked(
      'duas.rem',
      content(
        payment('A', { value: 100_000 }),
        complement('B'),
        payment('A', { value: 23_456 }),
        complement('B'),
      ),
    );
    const { text } = await (await enterPortal(ANA)).job(job.id);
    const [, opened = ''] = /<details class="confirm">([\s\S]*?)<\/details>/.exec(text) ?? [];
    expect(opened).toContain('Approve R$ 1.234,56…</summary>');
    expect(opened).toContain('You approve R$ 1.234,56 in 2 payments. This cannot be undone.');
    expect(opened).toContain('<button class="button wide">Yes, approve R$ 1.234,56</button>');
    // The button of the confirmation is the only one that approves.
    expect(text.match(/name="decision" value="approved"/g)).toHaveLength(1);
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
  });
});

describe('after the decision an approver', () => {
  const bytes = () => content(payment('A', { value: 4_321 }, { 44: 'PADARIA CENTRAL' }), complement('B'));

  test('still sees what was approved, and gets the signed file', async () => {
    const job = await stage.parked('aprovado.rem', bytes());
    const ana = await enterPortal(ANA);
    expect((await ana.visit(getSigned, { params: { id: job.id } })).status).toBe(409);
    for (const { email } of [BRUNO, CARLA]) await stage.decide(job.id, { email });
    await stage.run();
    const { text } = await ana.job(job.id);
    for (const shown of ['PADARIA CENTRAL', 'R$ 43,21', 'Download the signed file'])
      expect(text).toContain(shown);
    expect(text).not.toContain('Download the file');
    const signed = await ana.visit(getSigned, { params: { id: job.id } });
    expect(signed.status).toBe(200);
    expect(signed.bytes.includes(Buffer.from('PADARIA CENTRAL'))).toBe(true);
    expect(signed.headers['content-disposition']).toContain('attachment');
    // Whoever is not in the pool of the job gets neither.
    const stranger = await enterPortal(personOf(8));
    expect((await stranger.visit(getSigned, { params: { id: job.id } })).status).not.toBe(200);
    await files('batch').remove(`output/${(await stage.job(job.id)).outputName}`);
    expect((await ana.job(job.id)).text).toContain('The signed file is no longer kept here.');
  });

  test.each([
    ['rejected', (id: string) => stage.decide(id, { email: BRUNO.email, decision: 'rejected' })],
    ['canceled', (id: string) => cancelJob(OPERATOR, { id }, Date.now())],
  ] as const)('still sees what was %s, and gets the very file', async (_, end) => {
    const job = await stage.parked(undefined, bytes());
    await end(job.id);
    await settleFilesOf(job.id, Date.now());
    const ana = await enterPortal(ANA);
    const { text } = await ana.job(job.id);
    expect(text).toContain('PADARIA CENTRAL');
    expect(text).toContain('Download the file');
    expect((await ana.visit(getFile, { params: { id: job.id } })).bytes).toEqual(bytes());
  });
});

describe('a file with the content of another one', () => {
  const notice = 'Another file has the same content';

  test('is told to wait as well, to have been approved, or to have been rejected', async () => {
    const bytes = paid();
    const first = await stage.parked('primeira.rem', bytes);
    const ana = await enterPortal(ANA);
    expect((await ana.job(first.id)).text).not.toContain(notice);
    const second = await stage.parked('segunda.rem', bytes);
    for (const [shown, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { text } = await ana.job(shown.id);
      expect(text).toContain(notice);
      expect(text).toContain(
        `<a href="/batch/approvals/jobs/${other.id}">${other.fileName}</a>: Waits for approval`,
      );
    }
    await stage.decide(first.id, { email: BRUNO.email });
    await stage.decide(first.id, { email: CARLA.email });
    expect((await ana.job(second.id)).text).toContain('primeira.rem</a>: Approved; being signed');
    await stage.run();
    expect((await ana.job(second.id)).text).toContain('primeira.rem</a>: Approved and signed');
    // One that was decided on needs no warning.
    expect((await ana.job(first.id)).text).not.toContain(notice);
    const third = await stage.parked('terceira.rem', bytes);
    await stage.decide(second.id, { email: BRUNO.email, decision: 'rejected', reason: 'Twice.' });
    expect((await ana.job(third.id)).text).toContain('segunda.rem</a>: Rejected');
  });

  test('of another pool is told without its name', async () => {
    const bytes = paid();
    const approval = { quorum: 1, approvers: [personOf(7)] };
    await stage.profile({ name: 'alheio', checkCnab240: true, preserveFileExtension: true, approval });
    const other = await stage.upload('segredo-alheio.rem', bytes, { profile: 'alheio' });
    const job = await stage.parked('minha.rem', bytes);
    const { text } = await (await enterPortal(ANA)).job(job.id);
    expect(text).toContain('A file that you are not asked about: Waits for approval');
    for (const hidden of ['segredo-alheio', other.id]) expect(text).not.toContain(hidden);
  });

  test('that was canceled is not told: it pays nothing', async () => {
    const bytes = paid();
    const first = await stage.parked('cancelada.rem', bytes);
    const operator = { application: 'operator', keyId: '', permissions: [], registered: {} };
    await cancelJob(operator, { id: first.id }, Date.now());
    const second = await stage.parked('de-novo.rem', bytes);
    expect((await (await enterPortal(ANA)).job(second.id)).text).not.toContain(notice);
  });

  test('is marked in the list of those that wait', async () => {
    const bytes = paid();
    const dora = personOf(8);
    const approval = { quorum: 1, approvers: [dora] };
    await stage.profile({ name: 'repetido', checkCnab240: true, preserveFileExtension: true, approval });
    for (const [name, content] of [
      ['um.rem', bytes],
      ['dois.rem', bytes],
      ['outro.rem', paid()],
    ] as const)
      await stage.upload(name, content, { profile: 'repetido' });
    await stage.run();
    const { text } = await (await enterPortal(dora)).visit(listPending);
    const marked = [...text.matchAll(/>([^<]*)<\/a> <span class="badge warn">Same content as another file/g)];
    expect(marked.map(([, name]) => name).toSorted()).toEqual(['dois.rem', 'um.rem']);
  });
});

test('an approver and an operator see in words where the sum of a lot is not that of its payments', async () => {
  const wrong = withLotSums(remittance([payment('A', { value: 4_321 })]), '000000000000004322');
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  const job = await stage.parked('somas.rem', fileOf(wrong));
  const { text } = await (await enterPortal(ANA)).job(job.id);
  const said = 'The trailer of lot 0001 states a sum of R$ 43,22, and its payments add up to R$ 43,21.';
  expect(text).toContain('The sums of the file are not those of its payments');
  expect(text).toContain(said);
  const page = await (await operatorVisitor()).show(`jobs/${job.id}`);
  expect(page.text).toContain(said);
  const right = await stage.parked();
  expect((await (await enterPortal(ANA)).job(right.id)).text).not.toContain('lot-sums');
});
