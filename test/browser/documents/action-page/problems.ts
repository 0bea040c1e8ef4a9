import { createHash } from 'node:crypto';
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ANA, approver, RUI, signerOf, text } from './files.ts';
import { type Place, visit } from './visitor.ts';

const PIN = '1234';
const START = '**/signature/certificate';
const COMPLETE = '**/signature';

/** What a person is told when it does not go well, and that nothing is lost by it. */
export function problems(place: () => Place): void {
  const opened = async (options: object = {}, file = text, flow: object[] = [signerOf(ANA)]) => {
    const { platform } = place();
    const id = await platform.document(file(), flow);
    const visitor = await visit(place(), (await platform.links(id, { identifier: ANA })).url, options);
    return { id, platform, ...visitor };
  };

  test('a file that does not open is told, because none was chosen, no password was typed, it is wrong, or the file is something else or of somebody else; the right one signs afterwards', async () => {
    const visitor = await opened();
    const { page } = visitor;
    await visitor.submit();
    expect(await visitor.problem()).toBe('Choose your certificate file (.p12 or .pfx) first.');
    await visitor.chooseCertificate(visitor.platform.holderFile(ANA), '');
    await visitor.submit();
    expect(await visitor.problem()).toBe('Type the password of the certificate file.');
    const photo = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG') };
    await visitor.chooseCertificate(photo, PIN);
    await visitor.submit();
    await page.getByText('This file is not a certificate file, or it is damaged.').waitFor();
    await visitor.chooseCertificate(visitor.platform.holderFile(ANA), '9999');
    await visitor.submit();
    await page
      .getByText('The password does not open this certificate file. Check it and try again.')
      .waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('password');
    expect(visitor.requests.filter((request) => request.method() === 'POST')).toEqual([]);
    await visitor.chooseCertificate(visitor.platform.holderFile(RUI), PIN);
    await visitor.submit();
    await page.getByText('The certificate is of another person: its CPF is not').waitFor();
    await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
    await visitor.submit();
    expect(await visitor.outcome()).toBe('You signed this document');
    await visitor.close();
  });

  // The words of both languages are one table.
  test.each([
    ['12345678909', 'en-US', 'It has expired.'],
    ['56072386105', 'pt-BR', 'Foi revogado.'],
    ['87378011126', 'en-US', 'It comes from an authority that is not'],
    ['15350946056', 'pt-BR', 'Não foi possível verificar se foi revogado.'],
  ])('why a certificate may not sign is told: %s', async (cpf, locale, reason) => {
    const { platform } = place();
    const id = await platform.document(text(), [signerOf(cpf)]);
    const { url } = await platform.links(id, { identifier: cpf });
    const visitor = await visit(place(), url, { locale });
    await visitor.chooseCertificate(platform.holderFile(cpf), PIN);
    await visitor.submit();
    expect(await visitor.problem()).toContain(reason);
    expect(visitor.completions()).toEqual([]);
    expect(await platform.read(id)).toMatchObject({ status: 'Pending' });
    await visitor.close();
  });

  // Ana      |-- start ----------------------------- complete refused -- start again -- complete --|
  // Rui            |-- start -- complete --|
  test('another signature that comes first makes the page start again by itself, once', async () => {
    const visitor = await opened({}, text, [signerOf(ANA), signerOf(RUI)]);
    let isFirst = true;
    await visitor.page.route(COMPLETE, async (route: Route) => {
      if (isFirst) await visitor.platform.sign(visitor.id, RUI);
      isFirst = false;
      await route.continue();
    });
    await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
    await visitor.submit();
    expect(await visitor.outcome()).toBe('You signed this document');
    expect([visitor.starts().length, visitor.completions().length]).toEqual([2, 2]);
    await visitor.close();
  });

  test('a start that grows stale again and again is told, and not repeated without end', async () => {
    const visitor = await opened();
    const json = { code: 'InvalidSignatureToken', message: 'Start again.', details: null };
    await visitor.page.route(COMPLETE, (route) => route.fulfill({ status: 422, json }));
    await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
    await visitor.submit();
    expect(await visitor.problem()).toMatch(/^Somebody else signed at the same time\./);
    expect(visitor.starts()).toHaveLength(2);
    await visitor.close();
  });

  describe('a connection that is lost', () => {
    test('before the signature is told, and the next try signs', async () => {
      const visitor = await opened({ locale: 'pt-BR' });
      await visitor.page.route(START, (route) => route.abort('internetdisconnected'));
      await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
      await visitor.submit();
      expect(await visitor.problem()).toMatch(/^A conexão caiu\./);
      await visitor.page.unroute(START);
      await visitor.submit();
      expect(await visitor.outcome()).toBe('Você assinou este documento');
      await visitor.close();
    });

    test('after the signature arrived is found out: the page says that it is signed', async () => {
      const visitor = await opened();
      await visitor.page.route(COMPLETE, async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      });
      await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
      await visitor.submit();
      expect(await visitor.outcome()).toBe('You signed this document');
      await visitor.close();
    });

    test('after an approval arrived, and for good, is told as far as it is known', async () => {
      const { platform } = place();
      const id = await platform.document(text(), [approver('Eva')]);
      const { url } = await platform.links(id, { emailAddress: 'eva@example.com' });
      const visitor = await visit(place(), url);
      await visitor.page.route('**/document/key/**', (route) => route.abort('internetdisconnected'));
      await visitor.submit();
      await visitor.page.getByText('Done: your part is recorded.').waitFor();
      expect(await visitor.page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
      await visitor.close();
    });
  });

  test('an action done in another window takes its place in this one', async () => {
    const visitor = await opened({}, text, [signerOf(ANA), signerOf(RUI)]);
    await visitor.platform.sign(visitor.id, ANA);
    await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
    await visitor.submit();
    expect(await visitor.outcome()).toBe('You signed this document');
    await visitor.close();
  });

  describe('a server that wants something else signed', () => {
    const hashOf = (data: Buffer): string => createHash('sha256').update(data).digest('base64');
    const changed = (change: (started: { toSignData: string }) => object) => async (route: Route) => {
      const answer = await route.fetch();
      const started = await answer.json();
      await route.fulfill({ response: answer, json: { ...started, ...change(started) } });
    };
    const bytes = (data: Buffer) => ({ toSignData: data.toString('base64'), toSignHash: hashOf(data) });

    const CHANGES: Readonly<Record<string, (started: { toSignData: string }) => object>> = {
      'bytes of another hash': () => ({ toSignHash: hashOf(Buffer.from('other')) }),
      'a text': () => bytes(Buffer.from('I owe you everything.')),
      'a page': () => bytes(Buffer.from('<html><body>SignedInfo</body></html>')),
      'an empty set': () => bytes(Buffer.from('3100', 'hex')),
      nothing: () => ({ toSignData: null, toSignHash: null }),
      'the attributes of another certificate': ({ toSignData }) => {
        const data = Buffer.from(toSignData, 'base64');
        // The hash of the certificate comes after the attribute's own name.
        const at = data.indexOf(Buffer.from('060b2a864886f70d010910022f', 'hex')) + 13;
        const hash = data.indexOf(Buffer.from('0420', 'hex'), at) + 2;
        data[hash] = (data[hash] ?? 0) ^ 1;
        return bytes(data);
      },
    };

    test('gets no signature, nor for another file than the page offers to be read', async () => {
      const visitor = await opened();
      const { page } = visitor;
      const expectNothing = async (what: string) => {
        await page.reload();
        await visitor.chooseCertificate(visitor.platform.holderFile(ANA), PIN);
        await visitor.submit();
        const nothing = expect.stringMatching(/^Nothing was signed:/);
        expect([what, await visitor.problem()]).toEqual([what, nothing]);
        await page.unrouteAll();
      };
      for (const [what, change] of Object.entries(CHANGES)) {
        await page.route(START, changed(change));
        await expectNothing(what);
      }
      await page.route('**/content?**', async (route) =>
        route.fulfill({ response: await route.fetch(), body: 'another file' }),
      );
      await expectNothing('another file');
      expect(visitor.starts().length).toBeGreaterThanOrEqual(Object.keys(CHANGES).length);
      expect(visitor.completions()).toEqual([]);
      await visitor.close();
    });
  });
}
