import { describe, expect, test } from 'vitest';
import { handler as ofBatch } from '../../../functions/batch/endpoints/refuse-unknown-route.ts';
import { handler as ofCompact } from '../../../functions/compact/endpoints/refuse-unknown-route.ts';
import { handler as ofCredentials } from '../../../functions/credentials/endpoints/refuse-unknown-route.ts';
import { handler as ofDocuments } from '../../../functions/documents/endpoints/refuse-unknown-route.ts';
import { handler as ofHub } from '../../../functions/hub/endpoints/refuse-unknown-route.ts';
import { handler as ofPki } from '../../../functions/pki/endpoints/refuse-unknown-route.ts';
import { handler as ofSession } from '../../../functions/session/endpoints/refuse-unknown-route.ts';
import { refuseAsGateway } from '../../../infra/runtime/http/refuse-as-gateway.ts';
import { call } from '../../requests/http-event.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'pt-BR' };

describe('an address where nothing is', () => {
  test.each([
    ['batch', ofBatch, '/batch'],
    ['compact', ofCompact, undefined],
    ['credentials', ofCredentials, '/credentials/verify'],
    ['documents', ofDocuments, '/documents/console'],
    ['hub', ofHub, undefined],
    ['pki', ofPki, undefined],
    ['session', ofSession, undefined],
  ])(
    'of %s is a page for a browser, and the error of the service for a program',
    async (name, handler, start) => {
      const path = `/${name}/nothing/<b>here`;
      const { status, headers, text } = await call(handler, { path, headers: BROWSER });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(text).toContain('<h1>Não há nada neste endereço</h1>');
      expect([...text.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual(start ? [start] : []);
      expect(text).not.toContain('<b>here');
      for (const accept of ['', '*/*', 'application/json']) {
        const program = await call(handler, { path, headers: { Accept: accept } });
        expect(program.status).toBe(404);
        expect(program.headers['content-type']).toMatch(/json/);
        expect(program.json()).toEqual(expect.any(Object));
      }
    },
  );

  test('of no service is a page that leads home', async () => {
    const shown = await refuseAsGateway('GET', '/nothing', 404, {
      accept: 'text/html',
      'accept-language': 'en',
    });
    expect([shown.status, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(shown.body).toContain('<h1>Nothing is at this address</h1>');
    expect(shown.body).toContain('<a href="/">Go to the start page</a>');
    const { headers, body } = await refuseAsGateway('GET', '/nothing', 404);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({ message: expect.stringContaining('No service is at this path') });
  });
});
