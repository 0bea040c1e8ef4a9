import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import { handler as createActionUrl } from '../../../../functions/documents/endpoints/signing/create-action-url.ts';
import { handler as getPage } from '../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { handler as revoke } from '../../../../functions/documents/endpoints/signing/revoke-action-urls.ts';
import { handler as postCode } from '../../../../functions/documents/endpoints/signing/send-or-check-code.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { byKey, content, details, partsOf } from '../endpoints/signing/calls.ts';
import { ANA, approval, BIA, linkIn, mailStage, sweepMail, workOnMail } from './mail-stage.ts';

// The queues of mail and tasks are worked on as a whole.
await forFile(ownStores());
const stage = await forFile(mailStage());
const { smtp, key: apiKey, caller } = stage;
const headers = { 'X-API-Key': apiKey };
const MINUTE = 60_000;
beforeEach(() => stage.turn(true, false));
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  smtp.accept();
  await workOnMail();
  smtp.forget();
});

type Link = { readonly key: string; readonly ticket: string };

/** The link of the mail that came last. */
const lastLink = (): Link => partsOf(linkIn(smtp.forget().at(-1)?.mail.html));
async function invited(flow: object[] = [approval(ANA)]): Promise<Link & { readonly id: string }> {
  const id = await stage.created(flow, { names: ['Segredo'] });
  await workOnMail();
  return { id, ...lastLink() };
}
const codeOf = async (answer: ReturnType<typeof details>) =>
  ((await answer).json() as { code?: string }).code;
const shown = ({ key, ticket }: Link) => codeOf(details(key, { ticket }));
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const urlFor = async (id: string, json: object) => {
  const answer = await call(createActionUrl, { params: { id }, headers, json });
  return { status: answer.status, ...(answer.json() as { url: string; code?: string }) };
};

describe('a link', () => {
  test('is recorded when it is opened: the first and the last time, in the details of the document', async () => {
    const { id, ...link } = await invited();
    const opened = async () => {
      const [entry] = (await readDocument(caller, id, Date.now())).actionUrls;
      return [entry?.firstOpenedDate, entry?.lastOpenedDate];
    };
    expect(await opened()).toEqual([null, null]);
    await shown(link);
    const [first, last] = await opened();
    expect([first, last]).toEqual([expect.any(String), first]);
    await content(link.key, { ticket: link.ticket });
    later(2 * MINUTE);
    await shown(link);
    const [stillFirst, later2] = await opened();
    expect(stillFirst).toBe(first);
    expect(Date.parse(later2 ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
  });

  test('can be revoked for one person: it opens nothing, and another can be sent', async () => {
    const id = await stage.created([approval(ANA), approval(BIA)]);
    await workOnMail();
    const links = Object.fromEntries(smtp.forget().map(({ to, mail }) => [to, partsOf(linkIn(mail.html))]));
    const [ana, bia] = [links[ANA] as Link, links[BIA] as Link];
    const revoked = (json: object, key = apiKey) =>
      call(revoke, { params: { id }, headers: { 'X-API-Key': key }, json });
    expect((await revoked({ emailAddress: ANA.toUpperCase() })).status).toBe(204);
    expect([await shown(ana), await shown(bia)]).toEqual(['InvalidTicket', undefined]);
    expect(await codeOf(byKey('approve', ana.key, { ticket: ana.ticket }))).toBe('InvalidTicket');
    const { status, url } = await urlFor(id, { emailAddress: ANA });
    expect([status, await shown(partsOf(url))]).toEqual([200, undefined]);
    expect((await revoked({ emailAddress: 'nobody@sandbox.example' })).status).toBe(422);
    expect((await revoked({})).status).toBe(400);
    expect(
      (await call(revoke, { params: { id: randomUUID() }, headers, json: { emailAddress: ANA } })).status,
    ).toBe(404);
  });

  test('is made for an action by its id, too', async () => {
    const { id } = await invited([approval(ANA), approval(BIA)]);
    const [, second] = (await readDocument(caller, id, Date.now())).flowActions;
    const { url } = await urlFor(id, { flowActionId: second?.id });
    const { key, ticket } = partsOf(url);
    expect((await details(key, { ticket })).json()).toMatchObject({ action: { id: second?.id } });
  });

  test('lives for 90 days in mail', async () => {
    const link = await invited();
    later(89 * 1440 * MINUTE);
    expect(await shown(link)).toBeUndefined();
    later(2 * 1440 * MINUTE);
    expect(await shown(link)).toBe('InvalidTicket');
  });
});

describe('an organization that requires a code', () => {
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  beforeEach(() => stage.turn(true, true));
  const post = ({ key, ticket }: Link, fields: Record<string, string> = {}) =>
    call(postCode, {
      params: { key },
      headers: FORM,
      body: String(new URLSearchParams({ ticket, ...fields })),
    });
  const pageOf = ({ key, ticket }: Link, query: Record<string, string> = {}) =>
    call(getPage, {
      params: { key },
      path: `/documents/document/key/${key}/action`,
      query: { ticket, lang: 'en', ...query },
      headers: { Accept: 'text/html' },
    });
  /** The page that a browser is led to by the form. Loaded again, it sends nothing again. */
  async function ledBy(link: Link, fields: Record<string, string> = {}) {
    const { status, headers: answered } = await post(link, fields);
    expect([status, answered.location]).toEqual([303, expect.stringMatching(/^action\?/)]);
    const query = Object.fromEntries(new URLSearchParams(answered.location?.split('?')[1]));
    const { text } = await pageOf(link, query);
    expect((await pageOf(link, query)).text).toBe(text);
    return text;
  }
  /** Asks for a code, and reads it in the mail. */
  async function codeFor(link: Link): Promise<string> {
    expect((await post(link)).status).toBe(303);
    await workOnMail();
    const [{ mail, to } = expect.fail('No code came.')] = smtp.forget();
    expect(to).toBe(ANA);
    expect([mail.subject, mail.text, mail.html].join()).not.toContain('Segredo');
    const [code = ''] = /^\d{6}$/m.exec(mail.text ?? '') ?? [];
    expect(mail.html).toContain(code);
    expect(mail.subject?.startsWith(`${code} é seu código para abrir`)).toBe(true);
    return code;
  }
  const openedBy = (location: string | undefined, key: string): Link => ({
    key,
    ticket: new URLSearchParams((location ?? '').split('?')[1]).get('ticket') ?? '',
  });
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  test('shows nothing of the document before it, at the page or by a call', async () => {
    const link = await invited();
    const { status, text } = await pageOf(link);
    expect(status).toBe(200);
    expect(text).toContain('ACME Ltda');
    expect(text).toContain('a•••@sandbox.example');
    expect(text).not.toContain('Segredo');
    expect(text).not.toContain('Ana');
    const { key, ticket } = link;
    for (const answer of [
      details(key, { ticket }),
      content(key, { ticket }),
      byKey('approve', key, { ticket }),
      byKey('refuse', key, { ticket, reason: 'No' }),
      byKey('start', key, { ticket, certificate: 'AAAA' }),
    ])
      expect(await codeOf(answer)).toBe('CodeRequired');
    expect((await readDocument(caller, link.id, Date.now())).actionUrls).toMatchObject([
      { firstOpenedDate: null },
    ]);
  });

  test('opens the document for the code of the mail; a code is sent for a click alone', async () => {
    const link = await invited();
    await pageOf(link);
    expect(await workOnMail()).toEqual([]);
    const code = await codeFor(link);
    for (const query of [{ code: 'sent' }, {}] as Record<string, string>[])
      expect((await pageOf(link, query)).text).toContain('autocomplete="one-time-code"');
    expect((await pageOf(link)).text).toContain('A code was sent to you. Type it here');
    const { status, headers: answered } = await post(link, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(status).toBe(303);
    expect(answered.location).toMatch(/^action\?ticket=/);
    const opened = openedBy(answered.location, link.key);
    expect((await pageOf(opened)).text).toContain('Segredo');
    expect((await byKey('approve', opened.key, { ticket: opened.ticket })).status).toBe(200);
    // The code works once, and the link itself still needs one.
    expect(await ledBy(link, { code })).toContain('Nenhum código vale mais');
    expect(await shown(link)).toBe('CodeRequired');
    later(121 * MINUTE);
    expect(await shown(opened)).toBe('InvalidTicket');
  });

  test('takes five wrong codes, then none', async () => {
    const link = await invited();
    const code = await codeFor(link);
    for (const left of [4, 3, 2, 1]) {
      const text = await ledBy(link, { code: other(code) });
      expect(text).toMatch(left === 1 ? /Resta uma/ : `Restam ${left}`);
    }
    expect(await ledBy(link, { code: other(code) })).toContain('Nenhum código vale mais');
    expect(await ledBy(link, { code })).toContain('Nenhum código vale mais');
    const next = await codeFor(link);
    expect((await post(link, { code: next })).status).toBe(303);
  });

  test('counts guesses that come at once one by one', async () => {
    const link = await invited();
    const code = await codeFor(link);
    const guesses = await Promise.all(Array.from({ length: 8 }, () => post(link, { code: other(code) })));
    for (const { headers: answered } of guesses) expect(answered.location).toMatch(/notice=(wrong|expired)/);
    expect(await ledBy(link, { code })).toContain('Nenhum código vale mais');
  });

  test('takes no code after ten minutes, and none that a newer one replaced', async () => {
    const link = await invited();
    const first = await codeFor(link);
    const second = await codeFor(link);
    if (first !== second) expect(await ledBy(link, { code: first })).toContain('Restam 4 tentativas');
    later(10 * MINUTE + 1_000);
    expect(await ledBy(link, { code: second })).toContain('Nenhum código vale mais');
    expect((await pageOf(link)).text).not.toContain('one-time-code');
  });

  test('sends three codes for a link in ten minutes', async () => {
    const link = await invited();
    for (let n = 0; n < 3; n++) await codeFor(link);
    const text = await ledBy(link);
    expect(text).toContain('Três códigos');
    expect(text).toContain('one-time-code');
    expect(await workOnMail()).toEqual([]);
  });

  test('sends a code late to nobody', async () => {
    const link = await invited();
    smtp.refuse(451, 'Greylisted');
    await post(link);
    await workOnMail();
    smtp.accept();
    await sweepMail(Date.now() + 11 * MINUTE);
    expect(smtp.forget()).toEqual([]);
  });

  test('gives no link to whom no code can be sent', async () => {
    const id = await stage.created([{ type: 'Approver', user: { name: 'Zé', identifier: '52998224725' } }]);
    expect(await urlFor(id, { identifier: '52998224725' })).toMatchObject({
      status: 422,
      code: 'EmailAddressRequired',
    });
    await stage.turn(true, false);
    const { url } = await urlFor(id, { identifier: '52998224725' });
    await stage.turn(true, true);
    const link = partsOf(url);
    expect((await pageOf(link)).text).toContain('No code can be sent to you');
    expect(await ledBy(link)).toContain('Não é possível enviar um código');
  });

  test('revokes what a code has opened with the link', async () => {
    const link = await invited();
    const { headers: answered } = await post(link, { code: await codeFor(link) });
    const opened = openedBy(answered.location, link.key);
    expect(await shown(opened)).toBeUndefined();
    await call(revoke, { params: { id: link.id }, headers, json: { emailAddress: ANA } });
    expect(await shown(opened)).toBe('InvalidTicket');
    expect((await post(link)).status).toBe(410);
  });

  test('may be one link that an application asks it for', async () => {
    await stage.turn(false, false);
    const id = await stage.created();
    const plain = await urlFor(id, { emailAddress: ANA });
    const coded = await urlFor(id, { emailAddress: ANA, requireEmailAuthentication: true });
    expect(await shown(partsOf(plain.url))).toBeUndefined();
    expect(await shown(partsOf(coded.url))).toBe('CodeRequired');
    const link = partsOf(coded.url);
    expect((await post(link, { code: await codeFor(link) })).status).toBe(303);
  });

  test('writes neither codes nor links to the log', async () => {
    const logged: string[] = [];
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        logged.push(String(chunk));
        return true;
      });
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...words) => void logged.push(words.map(String).join()));
    vi.stubEnv('Log__Level', 'DEBUG');
    const link = await invited();
    const code = await codeFor(link);
    await post(link, { code: other(code) });
    const { headers: answered } = await post(link, { code });
    const opened = openedBy(answered.location, link.key);
    await pageOf(opened);
    smtp.refuse(550, 'No');
    await stage.created();
    await workOnMail();
    vi.restoreAllMocks();
    vi.stubEnv('Log__Level', 'WARN');
    const all = logged.join('\n');
    expect(all).toContain('mail to a participant');
    expect(all).not.toContain(link.ticket);
    expect(all).not.toContain(opened.ticket);
    expect(all).not.toMatch(new RegExp(`\\b${code}\\b`));
    expect(all).not.toContain(ANA);
  });
});
