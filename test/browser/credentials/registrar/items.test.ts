import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../../chromium.ts';
import { expectFits, look, PHONE, PHONE_IN_PORTUGUESE } from '../../look.ts';

const ANA = '52998224725';
const BRUNO = '47363361886';

// All lists are one page, and so are all forms: these have every part that a list or form may have.
const KIND_PATHS = ['degrees', 'registrations', 'inspection-files', 'restamps'];

describeInChromium("the registrar's console, in Chromium", () => {
  let browser: Browser;
  let engine: SharedEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);

  /** The console of the sandbox's administrator, from the home page. */
  async function enter(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await openPageAt(browser, engine.url, options);
    await click(page.locator('form[action*="/credentials/login"] button'));
    await page.waitForURL(`${engine.url}/credentials/console/degrees`);
    return page;
  }

  const consoleUrl = (path: string): string => `${engine.url}/credentials/console/${path}`;

  /** Signs at the page that a link of the item opens, as the person with this certificate does. */
  async function signAt(page: Page, cpf: string): Promise<void> {
    const link = page.getByRole('link', { name: `Signing page of SANDBOX HOLDER ${cpf}` }).first();
    await link.waitFor();
    const address = (await link.getAttribute('href')) ?? '';
    const signer = await page.context().newPage();
    await signer.goto(address);
    await signer.locator('#certificate').setInputFiles(join(engine.dataDir, 'pki/holders', `${cpf}.p12`));
    await signer.locator('#password').fill('1234');
    await signer.locator('#sign button[type=submit]').click();
    await signer.locator('#closed').waitFor();
    await signer.close();
    // The page learns of it by itself.
    await page.locator(`a[href="${address}"]`).waitFor({ state: 'detached' });
  }

  test('a degree goes from its form to its verification page, without a call of the API', async () => {
    const name = `Maria ${randomBytes(4).toString('hex')}`;
    const page = await enter();
    const seen = watch(page, engine.url);
    await click(page.getByRole('link', { name: 'New degree' }));
    await takePicture(page, 'registrar-new-en');
    await page.getByLabel('Student', { exact: true }).fill(name);
    await page.getByLabel('CPF').fill('529.982.247-25');
    await page.getByLabel('Course').fill('Engenharia Civil');
    await page.getByRole('button', { name: 'Create' }).dblclick();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goto(page.url().split('?')[0] ?? '');
    const degreeUrl = page.url();
    for (let file = 0; file < 2; file += 1) await signAt(page, ANA);
    await takePicture(page, 'registrar-signing-en');
    for (let file = 0; file < 2; file += 1) await signAt(page, BRUNO);
    await page.locator('#state').getByText('Concluded', { exact: true }).waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await takePicture(page, 'registrar-degree-en');

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the signed file' }).first().click();
    expect((await download).suggestedFilename()).toMatch(/\.xml$/);

    // The double click created one.
    await page.goto(`${consoleUrl('degrees')}?q=${encodeURIComponent(name)}`);
    expect(await page.getByRole('row', { name: new RegExp(name) }).count()).toBe(1);

    await page.goto(degreeUrl);
    const code = await page.locator('#facts a[href*="/verify/"]').getAttribute('href');
    await page.goto(`${engine.url}${code}`);
    await page.getByText('Valid', { exact: true }).waitFor();

    // The page changes at each look, and one of its parts has a file: what was chosen and typed stays.
    let looks = 0;
    const actionsTitle = '<h2 id="actions-title">';
    await page.route(degreeUrl, async (route) => {
      const response = await route.fetch();
      looks += 1;
      const changed = `<input type="file" id="own-file">${actionsTitle}Look ${looks}: `;
      await route.fulfill({ response, body: (await response.text()).replace(actionsTitle, changed) });
    });
    await page.goto(degreeUrl);
    await page.getByText('Annul…').click();
    await page.locator('#own-file').setInputFiles({
      ...{ name: 'diploma.xml', mimeType: 'text/xml', buffer: Buffer.from('<Diploma/>') },
    });
    await page.getByLabel('Reason of the annulment').selectOption('Erro de Fato');
    await page.locator('#canceled-reason').fill('The course is another one.');
    await page.getByRole('button', { name: 'Annul', exact: true }).focus();
    const before = looks;
    const shownLook = async () => /\d+/.exec((await page.locator('#actions-title').textContent()) ?? '')?.[0];
    await expect.poll(async () => Number(await shownLook())).toBeGreaterThan(before);
    expect(await page.locator('#own-file').inputValue()).toMatch(/diploma\.xml$/);
    expect(await page.getByLabel('Reason of the annulment').inputValue()).toBe('Erro de Fato');
    expect(await page.locator('#canceled-reason').inputValue()).toBe('The course is another one.');
    await page.unroute(degreeUrl);
    await page.getByText('Look ').waitFor({ state: 'detached' });
    await takePicture(page, 'registrar-annul-en');
    await click(page.getByRole('button', { name: 'Annul', exact: true }));
    await page.locator('#state').getByText('Annulled').waitFor();
    expect(await page.locator('#history').textContent()).toContain('Erro de Fato');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('an emission is signed and sent, another office registers it, and the issuer has its degree', async () => {
    const name = `Nina ${randomBytes(4).toString('hex')}`;
    const page = await enter();
    const seen = watch(page, engine.url);
    const workFor = async (organization: string) => {
      await page.goto(consoleUrl('organization'));
      await page.locator('select#organization').selectOption(organization);
      await click(page.getByRole('button', { name: 'Switch' }));
    };
    const does = async (summary: string, button: string, state: string) => {
      await page.getByText(`${summary}…`, { exact: true }).click();
      await click(page.getByRole('button', { name: button, exact: true }));
      await page.locator('#state').getByText(state, { exact: true }).waitFor();
    };
    await page.goto(consoleUrl('new/emissions'));
    await page.getByLabel('Student', { exact: true }).fill(name);
    await page.getByLabel('CPF').fill(ANA);
    await page.getByLabel('Course').fill('Medicina');
    await click(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const emissionUrl = page.url().split('?')[0] ?? '';
    for (const cpf of [ANA, BRUNO]) await signAt(page, cpf);
    await page.locator('#state').getByText('Signed', { exact: true }).waitFor();
    await page.getByText('Send to a registrar…').click();
    await page.getByLabel('Registrar', { exact: true }).selectOption('Universidade Registradora (567)');
    await page.getByLabel('Note').fill('Turma de março');
    await takePicture(page, 'registrar-send-en');
    await click(page.getByRole('button', { name: 'Send', exact: true }));
    await page.locator('#state').getByText('At the registrar', { exact: true }).waitFor();

    await workFor('Sandbox Registrar');
    await page.goto(`${consoleUrl('registrations')}?q=${encodeURIComponent(name)}`);
    await click(page.getByRole('link', { name }));
    expect(await page.locator('#facts').textContent()).toContain('Turma de março');
    await does('Accept', 'Accept', 'Accepted');
    await does('Approve', 'Approve', 'Approved');
    await does('Register', 'Register', 'Registered, waiting for signatures');
    for (const cpf of [ANA, BRUNO]) await signAt(page, cpf);
    await page.locator('#state').getByText('Signed', { exact: true }).waitFor();
    await takePicture(page, 'registrar-request-en');
    // What is of another office is not there for this one.
    expect((await page.goto(emissionUrl))?.status()).toBe(404);

    await workFor('Sandbox University');
    await page.goto(emissionUrl);
    expect(await page.locator('#history').textContent()).toMatch(/Accepted by the registrar.*Sent to the/s);
    await click(page.locator('#facts').getByRole('link', { name: 'Degree', exact: true }));
    await page.locator('#state').getByText('Concluded', { exact: true }).waitFor();
    const code = await page.locator('#facts a[href*="/verify/"]').getAttribute('href');
    await page.goto(`${engine.url}${code}`);
    await page.getByText('Valid', { exact: true }).waitFor();
    // The refused look at what is of another office is the only complaint of the browser.
    expect([seen.outside, seen.errors.filter((error) => !error.includes('404'))]).toEqual([[], []]);
    await page.context().close();
  });

  test('a file of lines shows how far it is, and the lines to correct by their numbers', async () => {
    const tag = randomBytes(4).toString('hex');
    const page = await enter();
    await click(page.getByRole('link', { name: 'Create by a file of lines' }));
    const csv = [
      'Nome;CPF;Curso',
      `Ana ${tag};529.982.247-25;Direito`,
      `Sem CPF ${tag};123;Direito`,
      `"Bia
${tag}";52998224725;Direito`,
      `Caio ${tag};47363361886;`,
      `Davi ${tag};47363361886;Medicina`,
    ].join('\r\n');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'turma.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') },
    });
    await click(page.getByRole('button', { name: 'Create the degrees' }));
    await page.locator('#batch').getByText('Finished').waitFor();
    await takePicture(page, 'registrar-lines-en');
    const rows = await page.locator('#batch tbody tr').allTextContents();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      '3CPF: must be a CPF of 11 digits',
      '4Student: has a line break, a control character or another character in it that is not seen',
      '6Course: is required',
    ]);
    await page.goto(`${consoleUrl('degrees')}?q=${tag}`);
    expect(await page.locator('#items tbody tr').count()).toBe(2);

    await page.goto(consoleUrl('lines'));
    await page.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('nome;salário\nAna;1\n') },
    });
    await click(page.getByRole('button', { name: 'Create the degrees' }));
    expect(await page.locator('.item-form .problem').textContent()).toContain('salário');
    await page.context().close();
  });

  test('no page of the lists and forms has barriers, and each fits', async () => {
    const page = await enter(PHONE_IN_PORTUGUESE);
    for (const path of KIND_PATHS) {
      await page.goto(consoleUrl(path));
      await look(page, `registrar-${path}`, path === 'degrees' ? barriersInBothSchemes : barriers);
      if (path === 'restamps') continue;
      await page.goto(consoleUrl(`new/${path}`));
      await look(page, `registrar-new-${path}`, path === 'degrees' ? barriersInBothSchemes : barriers);
    }
    await page.goto(consoleUrl('lines'));
    await look(page, 'registrar-lines');
    await page.context().close();
  });

  test('markup, marks of direction and endless names are shown as text, on a phone as well', async () => {
    const page = await enter(PHONE);
    const markup = `<img src=x onerror="document.title='owned'">${randomBytes(4).toString('hex')}`;
    const endless = `${'W'.repeat(480)}${randomBytes(4).toString('hex')}`;
    for (const name of [markup, endless]) {
      await page.goto(consoleUrl('new/degrees'));
      await page.getByLabel('Student', { exact: true }).fill(name);
      await page.getByLabel('CPF').fill(ANA);
      await page.getByLabel('Course').fill(`<b>${name.slice(0, 480)}</b>`);
      await click(page.getByRole('button', { name: 'Create' }));
      expect(await page.locator('h1').textContent()).toBe(name);
      await expectFits(page, name.slice(0, 20));
      await takePicture(page, `registrar-hostile-${name.startsWith('<') ? 'markup' : 'endless'}`);
      await page.goto(consoleUrl('degrees'));
      await expectFits(page, 'degrees');
      expect(await page.locator('main').textContent()).toContain(name);
    }
    expect(await page.locator('main img').count()).toBe(0);
    // One that turns the reading direction, or has 1,000 characters, is refused at its field, and stays there.
    for (const name of ['Maria \u202Eavlis', 'W'.repeat(1_000)]) {
      await page.goto(consoleUrl('new/degrees'));
      await page.evaluate('document.querySelector("#studentName").removeAttribute("maxlength")');
      await page.getByLabel('Student', { exact: true }).fill(name);
      await page.getByLabel('CPF').fill('11111111111');
      await page.getByLabel('Course').fill('Direito');
      await click(page.getByRole('button', { name: 'Create' }));
      expect(await page.locator('.field-problem').allTextContents()).toEqual([
        'This is not right. Check it.',
        'This is not a CPF: check its 11 digits.',
      ]);
      expect(await page.getByLabel('Student', { exact: true }).inputValue()).toBe(name);
      await expectFits(page, 'refused');
    }
    expect(await barriers(page)).toEqual([]);
    await page.context().close();
  });

  test('a form that another site sends is refused, and an item of nobody does not exist', async () => {
    const page = await enter();
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const forged = await fetch(consoleUrl('new/curriculums'), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: 'https://evil.example', accept: 'text/html' },
      body: new URLSearchParams({ code: 'FORGED', course: 'Forged' }),
    });
    expect(forged.status).toBe(403);
    await page.goto(`${consoleUrl('curriculums')}?q=FORGED`);
    expect(await page.locator('#items tbody tr').count()).toBe(0);
    for (const path of ['degrees/5b0d2f1c-8f5e-4a3b-9c61-2f4d7e8a9b10', 'new/nothing', 'nothing'])
      expect([path, (await page.goto(consoleUrl(path)))?.status()]).toEqual([path, 404]);
    await page.context().close();
  });
});
