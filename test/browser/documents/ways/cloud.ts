import { describe, expect, test } from 'vitest';
import { type CloudVisit, visitCookie } from '../../../../shared/hub/visit.ts';
import { barriers, barriersInBothSchemes } from '../../barriers.ts';
import { click, takePicture } from '../../chromium.ts';
import { ANA, pdf, RUI } from '../action-page/files.ts';
import { DESKTOP, PHONE, type Stage } from './stage.ts';

const COMPANY = '11222333000181';

const visitIn = (value: string): CloudVisit => JSON.parse(Buffer.from(value, 'base64url').toString());
const cookieValueOf = (visit: CloudVisit): string => visitCookie('documents', visit).value;

/** A person who signs with a cloud certificate. */
export function cloud(stage: () => Stage): void {
  type Visitor = Awaited<ReturnType<Stage['visit']>>;
  const cookieOf = async ({ context }: Visitor) => {
    const [cookie] = (await context.cookies()).filter(({ name }) => name.startsWith('sinete-cloud-'));
    if (!cookie) throw new Error('The browser remembers no visit.');
    return cookie;
  };
  const changeVisit = async (visitor: Visitor, change: Partial<CloudVisit>) => {
    const cookie = await cookieOf(visitor);
    await visitor.context.addCookies([
      { ...cookie, value: cookieValueOf({ ...visitIn(cookie.value), ...change }) },
    ]);
  };
  const answerProvider = (visitor: Visitor, name: string) =>
    click(visitor.page.getByRole('button', { name, exact: true }));

  describe('in the cloud', () => {
    test('a person on a phone finds the certificate, allows the signature, sees the certificate and signs', async () => {
      // Others sign XML: the reader of PDF is most of the work of a page.
      const { id, link } = await stage().waiting(ANA, { file: await pdf() });
      const visitor = await stage().visit(link, PHONE);
      const { page } = visitor;
      await visitor.choose('cloud');
      expect(await barriersInBothSchemes(page)).toEqual([]);
      await takePicture(page, 'ways-cloud-phone-dark');
      await visitor.submit();
      await answerProvider(visitor, 'Permitir');
      await visitor.says('cloud', 'Você assina como SANDBOX HOLDER 52998224725.');
      expect(await page.getByRole('button', { name: 'Assinar o documento' }).isVisible()).toBe(true);
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'ways-cloud-ready-phone-dark');
      const { value, httpOnly, sameSite } = await cookieOf(visitor);
      expect([httpOnly, sameSite]).toEqual([true, 'Lax']);
      const { session = '' } = visitIn(value);
      await visitor.submit();
      await page.getByText('Você assinou este documento').waitFor();
      await stage().expectValid(id);
      // Spent: nothing of the visit is left in the browser.
      await expect(cookieOf(visitor)).rejects.toThrow('remembers no visit');

      // What signs was in the address of the one redirect by which the hub gives it, and in nothing that is kept.
      expect(session).toMatch(/^[\w-]{43}$/);
      const withSession = visitor.requests.filter((each) => each.url().includes(session));
      expect(withSession.map((each) => new URL(each.url()).pathname)).toEqual(['/documents/cloud/return']);
      expect(visitor.requests.filter((each) => each.postData()?.includes(session))).toEqual([]);
      stage().keepOut(session);
      await visitor.close();
    });

    test('the way is remembered; a page that was left says where it stands and goes on', async () => {
      const { id, link } = await stage().waiting(ANA);
      const visitor = await stage().visit(link, DESKTOP);
      await visitor.choose('cloud');
      await visitor.submit();
      await visitor.page.waitForURL(/\/sandbox\/providers\//);
      await visitor.page.close();

      const page = await visitor.context.newPage();
      await page.goto(link);
      await page.getByText('You went to your provider and have not come back').waitFor();
      expect(await page.isChecked('#way-cloud')).toBe(true);
      await page.getByRole('button', { name: 'Go on at my provider' }).click();
      await click(page.getByRole('button', { name: 'Do not allow' }));
      await page.getByText('The signature was not allowed at the provider.').waitFor();
      await page.getByRole('button', { name: 'Allow the signature again' }).click();
      await click(page.getByRole('button', { name: 'Allow', exact: true }));
      await page.getByText('You sign as SANDBOX HOLDER').waitFor();

      // A quarter of an hour later.
      await changeVisit(visitor, { expiresAtMs: Date.now() - 1 });
      await page.getByRole('button', { name: 'Sign the document' }).click();
      await page.locator('.problem').getByText('More than 15 minutes have passed').waitFor();
      expect((await stage().platform.read(id)).status).toBe('Pending');
      await page.reload();
      await page.locator('.way-state').getByText('More than 15 minutes have passed').waitFor();
      await page.getByRole('button', { name: 'Allow the signature again' }).click();
      await click(page.getByRole('button', { name: 'Allow', exact: true }));
      await page.getByText('You sign as SANDBOX HOLDER').waitFor();

      // The hub does not know what the cookie holds, as after its session was used up.
      const { session } = visitIn((await cookieOf(visitor)).value);
      await changeVisit(visitor, { session: `${session?.slice(0, -2)}AA` });
      await page.getByRole('button', { name: 'Sign the document' }).click();
      await page.locator('.problem').getByText('The provider did not sign.').waitFor();
      expect((await stage().platform.read(id)).status).toBe('Pending');
      await visitor.close();
    });

    test('a page whose permission was used up in another window shows that the document is signed', async () => {
      const { id, link } = await stage().waiting(ANA);
      const visitor = await stage().visit(link, DESKTOP);
      await visitor.choose('cloud');
      await visitor.submit();
      await answerProvider(visitor, 'Allow');
      await visitor.says('cloud', /^You sign as/);
      const { session } = visitIn((await cookieOf(visitor)).value);
      await changeVisit(visitor, { session: `${session?.slice(0, -2)}AA` });
      await stage().platform.sign(id, ANA);
      await visitor.submit();
      await visitor.page.getByText('You signed this document').waitFor();
      await visitor.close();
    });

    test('nobody signs for another: the CPF has no certificate there, or the certificate is of somebody else', async () => {
      const [own, foreign] = [await stage().waiting(ANA), await stage().waiting(RUI)];
      const visitor = await stage().visit(foreign.link, DESKTOP);
      const { page } = visitor;
      await visitor.choose('cloud');
      await visitor.submit();
      expect(await visitor.problem()).toContain('No provider that is connected here keeps a certificate');

      // Ana's session, under the document of Rui.
      await page.goto(own.link);
      await visitor.submit();
      await answerProvider(visitor, 'Allow');
      await visitor.says('cloud', /^You sign as/);
      const allowed = await cookieOf(visitor);
      const { pathname, search } = new URL(foreign.link);
      const stolen = visitCookie('documents', { ...visitIn(allowed.value), back: `${pathname}${search}` });
      await visitor.context.addCookies([{ ...allowed, name: stolen.name, value: stolen.value }]);
      await page.goto(foreign.link);
      await visitor.says('cloud', /^You sign as/);
      await visitor.submit();
      expect(await visitor.problem()).toContain('The certificate is of another person');
      expect((await stage().platform.read(foreign.id)).status).toBe('Pending');
      await visitor.close();
    });

    test('a return that this browser did not begin changes nothing', async () => {
      const { link } = await stage().waiting(ANA);
      const ana = await stage().visit(link, DESKTOP);
      await ana.choose('cloud');
      await ana.submit();
      await answerProvider(ana, 'Allow');
      await ana.says('cloud', /^You sign as/);
      const given = ana.requests.find((each) => each.url().includes('/cloud/return'))?.url() ?? '';

      const victim = await stage().visit(given, DESKTOP);
      await victim.page.getByRole('heading', { name: 'This browser began no signature' }).waitFor();
      expect(await barriers(victim.page)).toEqual([]);
      await victim.page.goto((await stage().waiting(ANA)).link);
      await victim.choose('cloud');
      await victim.submit();
      await victim.page.waitForURL(/\/sandbox\/providers\//);
      await victim.page.goto(given);
      await victim.says('cloud', /have not come back/);
      expect(visitIn((await cookieOf(victim)).value).session).toBeUndefined();
      await Promise.all([ana.close(), victim.close()]);
    });

    test('a company’s certificate is found by its CNPJ, and the page says for whom one signs', async () => {
      const { id, link } = await stage().waiting(ANA, { requiredCompanyIdentifier: COMPANY });
      const visitor = await stage().visit(link, DESKTOP);
      await visitor.choose('cloud');
      await visitor.submit();
      await answerProvider(visitor, 'Allow');
      await visitor.says(
        'cloud',
        'You sign as SANDBOX HOLDER 52998224725, with the certificate of SANDBOX HOLDER 11222333000181 (CNPJ 11.222.333/0001-81).',
      );
      await visitor.submit();
      await visitor.page.getByText('You signed this document').waitFor();
      await stage().expectValid(id);
      await visitor.close();
    });

    test('a page in a frame leads to a window of its own, where a provider can be shown', async () => {
      const { id, link } = await stage().waiting(ANA);
      const visitor = await stage().visit(link.replace('/action?', '/embed?'), DESKTOP);
      const { page } = visitor;
      await visitor.choose('cloud');
      expect(await page.locator('#sign button[type=submit]').isVisible()).toBe(false);
      const [own] = await Promise.all([
        visitor.context.waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in a new window' }).click(),
      ]);
      await own.getByRole('button', { name: 'Find my certificate' }).waitFor();
      expect(own.url()).toBe(`${link}&lang=en`);
      await visitor.choose('file');
      expect(await page.locator('#sign button[type=submit]').isVisible()).toBe(true);
      expect((await stage().platform.read(id)).status).toBe('Pending');
      await visitor.close();
    });

    test('with the file of a company the page asks before it signs', async () => {
      const { id, link } = await stage().waiting(ANA);
      const visitor = await stage().visit(link, PHONE);
      const { page } = visitor;
      await page.setInputFiles('#certificate', stage().platform.holderFile(COMPANY));
      await page.fill('#password', '1234');
      await visitor.submit();
      await page.getByText('Você assina como SANDBOX HOLDER 52998224725, com o certificado de').waitFor();
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'ways-company-phone-dark');
      await page.getByRole('button', { name: 'Voltar' }).click();
      expect((await stage().platform.read(id)).status).toBe('Pending');
      await visitor.submit();
      await page.locator('dialog[open]').getByRole('button', { name: 'Assinar', exact: true }).click();
      await page.getByText('Você assinou este documento').waitFor();
      await visitor.close();
    });
  });
}
