import { expect, test, vi } from 'vitest';
import { PAGE, type RefusedRequest } from '../../../shared/http/declaration.ts';
import { html } from '../../../shared/http/response/answer.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from './log-of.ts';
import { errors, sample, someAddress } from './sample.ts';

const limited = sample<'Once'>({ rates: { Once: () => ({ limit: 1, windowSeconds: 60 }) } });
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const pageThat = (run: () => Promise<never>, draw = vi.fn()) => ({
  draw,
  handler: limited.endpoint(
    {
      route: 'GET /shown',
      summary: 'Shown',
      answers: { 200: PAGE },
      refuses: ['Refused'],
      access: 'public',
      rate: 'Once',
      refusalPage: async (refusal, request: RefusedRequest) => {
        draw(refusal.code);
        return html(`<p>${refusal.code} ${request.query.lang}</p>`, { headers: { 'x-drawn': 'yes' } });
      },
    },
    run,
  ),
});
const refused = () => Promise.reject(errors.refuse('Refused'));

test('a browser is shown the page of a refusal, with its status', async () => {
  const { handler } = pageThat(refused);
  const query = { lang: 'en' };
  const { status, text, headers } = await call(handler, { headers: BROWSER, query, address: someAddress() });
  expect([status, text]).toEqual([422, '<p>Refused en</p>']);
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'x-drawn': 'yes' });
});

test('one that comes too often is shown a page as well, and told when to come again', async () => {
  const { handler } = pageThat(refused);
  const address = someAddress();
  await call(handler, { headers: BROWSER, address });
  const { status, text, headers } = await call(handler, { headers: BROWSER, address });
  expect([status, text]).toEqual([429, '<p>TooMany undefined</p>']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

test('an unexpected failure is shown, logged, and not told', async () => {
  const { handler } = pageThat(() => Promise.reject(new Error('hunter2')));
  const asked = () => call(handler, { headers: BROWSER, address: someAddress() });
  const { result, lines } = await logOf(asked);
  expect([result.status, result.text]).toEqual([500, '<p>Unexpected undefined</p>']);
  expect(lines.map(({ level, message }) => [level, message])).toEqual([['ERROR', 'unexpected failure']]);
});

test.each([
  ['no header', {}],
  ['any type', { Accept: '*/*' }],
  ['JSON', { Accept: 'application/json' }],
])('a program that accepts %s gets the refusal', async (_, headers) => {
  const { handler, draw } = pageThat(refused);
  const { status, json } = await call(handler, { headers, address: someAddress() });
  expect([status, json()]).toMatchObject([422, { code: 'Refused' }]);
  expect(draw).not.toHaveBeenCalled();
});

test('a page that cannot be drawn leaves the refusal', async () => {
  const { handler } = pageThat(
    refused,
    vi.fn(() => {
      throw new Error('no asset');
    }),
  );
  const { result, lines } = await logOf(() => call(handler, { headers: BROWSER, address: someAddress() }));
  expect([result.status, result.json()]).toMatchObject([422, { code: 'Refused' }]);
  expect(lines.map(({ message }) => message)).toEqual(['refusal not drawn']);
});
