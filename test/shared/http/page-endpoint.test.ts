import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { formBody } from '../../../shared/http/body/reader.ts';
import { PAGE } from '../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../shared/http/page-endpoint.ts';
import { html } from '../../../shared/http/response/answer.ts';
import { call } from '../../requests/http-event.ts';
import { errors, sample } from './sample.ts';

const BROWSER = { Accept: 'text/html' };
const OTHER_SITE = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
const language = ({ query }: { readonly query: Readonly<Record<string, unknown>> }) => String(query.lang);

const find = vi.fn(async ({ cookies }: { readonly cookies: Readonly<Record<string, string | undefined>> }) =>
  cookies.session === undefined ? undefined : { name: cookies.session },
);
const withSession = pageEndpoint(sample(), {
  language,
  visitors: {
    find,
    without: async (_, lang) => html(`sign in, ${lang}`, { status: 401 }),
    challenge: 'Cookie realm="sample"',
  },
  refusalPage: async ({ code }, { language: lang, visit }) =>
    html(`${code} ${lang} ${visit?.name ?? 'nobody'}`),
  finish: (answer, _, visit) => ({ ...answer, headers: { ...answer.headers, 'x-name': visit?.name ?? '' } }),
});

const page = withSession(
  { route: 'GET /page', summary: 'A page', answers: { 200: PAGE } },
  async (_, { name, language: lang }) => html(`${name}, ${lang}`),
);
const form = withSession(
  {
    route: 'POST /form',
    summary: 'A form',
    body: formBody(z.object({ what: z.string() })),
    answers: { 200: PAGE },
    refuses: ['Refused'],
  },
  async ({ body }) => {
    if (body.what === 'refused') throw errors.refuse('Refused');
    return html(body.what);
  },
);
const sent = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
});
const SESSION = { Cookie: 'session=Ana' };

test('a visitor with a session gets the page in their language', async () => {
  const { status, text, headers } = await call(page, {
    headers: { ...BROWSER, ...SESSION },
    query: { lang: 'en' },
  });
  expect([status, text, headers['x-name']]).toEqual([200, 'Ana, en', 'Ana']);
});

test('a browser without a session gets what the rules say, and a program the refusal', async () => {
  const browser = await call(page, { headers: BROWSER, query: { lang: 'en' } });
  expect([browser.status, browser.text]).toEqual([401, 'sign in, en']);
  expect(browser.headers['www-authenticate']).toBe('Cookie realm="sample"');
  const program = await call(page, { headers: {} });
  expect([program.status, program.json()]).toMatchObject([401, { code: 'Unauthorized' }]);
});

test('a form is read for a visitor alone: without a session a malformed one is not looked at', async () => {
  expect((await call(form, sent('other=1'))).status).toBe(401);
  expect((await call(form, sent('other=1', SESSION))).status).toBe(400);
});

test('a form that another site sent is refused before its session is read', async () => {
  find.mockClear();
  const { status, text } = await call(form, sent('what=1', { ...BROWSER, ...SESSION, ...OTHER_SITE }));
  expect([status, text]).toEqual([403, 'Forbidden undefined nobody']);
  expect(find).not.toHaveBeenCalled();
});

test('the page of a refusal knows the visitor', async () => {
  const { status, text } = await call(form, sent('what=refused', { ...BROWSER, ...SESSION }));
  expect([status, text]).toEqual([422, 'Refused undefined Ana']);
});

test.each([
  ['none', undefined, 'what=1', 'application/x-www-form-urlencoded', 403],
  ['none', undefined, '{"what":"1"}', 'application/json', 403],
  ['JSON', 'json', 'what=1', 'application/x-www-form-urlencoded', 403],
  ['JSON', 'json', '{"what":"1"}', 'application/json', 200],
  ['JSON', 'json', '{"what":"1"}', 'text/plain', 403],
  ['all', 'any', 'what=1', 'application/x-www-form-urlencoded', 200],
] as const)(
  'where %s may come from other sites (%s), %s as %s is answered %i',
  async (_, taken, body, type, status) => {
    const open = pageEndpoint(sample(), {
      language,
      visitors: 'anybody',
      ...(taken && { fromOtherSites: () => taken }),
    })({ route: 'POST /open', summary: 'An open form', answers: { 200: PAGE } }, async () => html('done'));
    const answer = await call(open, sent(body, { ...OTHER_SITE, 'Content-Type': type }));
    expect(answer.status).toBe(status);
  },
);

test('a page that says nothing of its visitors does not compile', () => {
  // @ts-expect-error neither a session nor anybody
  pageEndpoint(sample(), { language });
});
