import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bioSessions } from '../../../functions/pki/biometrics/domain/session.ts';
import { readEngine } from '../../../infra/local/engine/engine-file.ts';
import { useStores } from '../../../infra/local/stores/endpoints.ts';
import { registerValue } from '../../../shared/access/administration.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { startServer } from '../../shared/net/a-server.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowserWithCamera, takePicture } from '../chromium.ts';
import { acts, bioApp, type Kind, PHONE, type Place, RETURN, visit } from './bio/visitor.ts';

describeInChromium('the page of a biometric session, in Chromium', () => {
  let place: Place;
  let app: ReturnType<typeof bioApp>;

  beforeAll(async () => {
    const [browser, engine] = await Promise.all([openBrowserWithCamera('allowed'), sharedEngine()]);
    const stores = readEngine(engine.dataDir)?.env;
    if (!stores) throw new Error('The engine does not run.');
    useStores(stores);
    place = { url: engine.url, browser };
    app = bioApp(engine);
  });
  afterAll(() => place?.browser.close());

  const shoot = (page: Page, name: string) => takePicture(page, `bio-${name}`);
  const looked = async (page: Page, name: string, find = barriers) => {
    expect([name, await find(page)]).toEqual([name, []]);
    await shoot(page, name);
  };
  const opened = async (kind: Kind, body: object = {}, options: Parameters<typeof visit>[2] = {}) => {
    const { sessionId, sessionUrl } = await app.start(kind, body);
    return { sessionId, sessionUrl, ...(await visit(place, sessionUrl, options)) };
  };

  test('takes a person who passes back to the application, which completes with the ticket', async () => {
    const person = await opened('liveness', {}, { colorScheme: 'dark' });
    await looked(person.page, 'intro-dark', barriersInBothSchemes);
    await person.lookIntoCamera();
    await shoot(person.page, 'camera-dark');
    // This browser would let it hear too.
    const taken = "document.querySelector('video').srcObject.getTracks().map(({ kind }) => kind)";
    await expect.poll(() => person.page.evaluate(taken)).toEqual(['video']);
    await person.attempt();
    expect(await app.complete('liveness', await person.back())).toMatchObject({
      sessionId: person.sessionId,
      success: true,
      faceLivenessStatus: { provider: 'Sandbox', success: true, attemptCount: 1 },
    });
    expect(person.seen.errors).toEqual([]);
    expect(person.seen.outside.every((url) => url.startsWith(RETURN))).toBe(true);
    await person.close();
  });

  test('enrols on a phone in Portuguese, with a document, a place and the keyboard alone', async () => {
    const options = { ...PHONE, locale: 'pt-BR', permissions: ['geolocation'] };
    const person = await opened(
      'enrollment',
      { captureIdentificationDocument: true, geolocationCaptureType: 'Required' },
      { ...options, geolocation: { latitude: -23.5, longitude: -46.6 } },
    );
    const { page } = person;
    await page.getByRole('heading', { name: 'Cadastre seu rosto' }).waitFor();
    await looked(page, 'phone-intro');
    for (const name of ['Ligar a câmera', 'Tirar a foto', 'Estou pronto']) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      if (name !== 'Ligar a câmera')
        await looked(page, `phone-${name === 'Tirar a foto' ? 'document' : 'camera'}`);
      expect(await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')).toEqual([360, 360]);
      // From the heading, which has the focus, the buttons are reached in order.
      for (let tabs = 0; tabs < 6; tabs++) {
        await page.keyboard.press('Tab');
        if (await button.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      }
      await page.keyboard.press('Enter');
    }
    expect(await app.complete('enrollment', await person.back())).toMatchObject({
      success: true,
      idCaptureStatus: { matchedFace: true },
      geolocations: [{ device: 'Capture', latitude: -23.5 }],
    });
    await person.close();
  });

  // One that may be tried again, one that may not, one of the document, and one that the server alone finds. The words of
  // every failure are one table.
  const FAILURES = [
    ['not-live', 'AttemptsLimitReached', 2],
    ['flat', 'FaceLiveness2dFailed', 1],
    ['no-document', 'DocumentCaptureFailed', 2],
    ['face-taken', 'DuplicatesFound', 1],
  ] as const;

  test('tells a failure, and leads on with a ticket that tells it too', async () => {
    const taken = await opened('enrollment', { subjectIdentifier: 'first+face-taken@example.com' });
    await taken.lookIntoCamera();
    await taken.attempt();
    await taken.back();
    await taken.close();

    const told = FAILURES.map(async ([wish, failure, tries]) => {
      const wantsDocument = wish === 'no-document';
      const person = await opened('enrollment', {
        subjectIdentifier: `${crypto.randomUUID()}+${wish}@example.com`,
        captureIdentificationDocument: wantsDocument,
      });
      const look = async (act: string) => {
        await person.press(act);
        await person.view('camera').waitFor();
        const picture = person.page.locator('[data-act=picture]:visible');
        if (wantsDocument && (await picture.isVisible())) await click(picture);
        await person.page.locator('[data-act=begin]:visible').waitFor();
        await person.attempt();
      };
      await look('start');
      if (tries > 1) {
        expect(await person.said('again')).toContain('You have one more try.');
        if (wish === 'not-live') await looked(person.page, 'again');
        await look('again');
      }
      const said = await person.said('failed');
      if (wish === 'flat') await looked(person.page, 'failed', barriersInBothSchemes);
      await person.press('onward');
      const status = await app.complete('enrollment', await person.back());
      expect(status).toMatchObject({ success: false, failure });
      await person.close();
      return said;
    });
    // As many reasons as people.
    expect(new Set(await Promise.all(told)).size).toBe(FAILURES.length);
  });

  test('says what to do where the camera is refused, and ends without one', async () => {
    const careful = await openBrowserWithCamera('refused');
    const { sessionUrl } = await app.start('liveness');
    const person = await visit({ ...place, browser: careful }, sessionUrl);
    await person.press('start');
    expect(await person.said('trouble')).toContain('may not use the camera');
    await looked(person.page, 'camera-refused');
    await person.press('cancel');
    await person.press('onward');
    expect(await app.complete('liveness', await person.back())).toMatchObject({
      failure: 'FaceCaptureFailed',
    });
    await careful.close();
  });

  test('says so where there is no camera, and goes on once there is one', async () => {
    const { sessionUrl, sessionId } = await app.start('liveness');
    const blind = await openBrowserWithCamera('missing');
    const without = await visit({ ...place, browser: blind }, sessionUrl);
    await without.press('start');
    expect(await without.said('trouble')).toContain('No camera was found');
    await blind.close();
    const person = await visit(place, sessionUrl);
    await person.lookIntoCamera();
    await person.attempt();
    await person.back();
    expect(await app.read('liveness', sessionId)).toMatchObject({ success: true });
    await person.close();
  });

  test('lets a person cancel, and tells where the place is required and refused', async () => {
    const person = await opened('liveness', { geolocationCaptureType: 'Required' });
    await person.press('start');
    expect(await person.said('trouble')).toContain('Where you are must be known');
    await person.press('cancel');
    expect(await person.said('failed')).toContain('ended before it was done');
    await person.press('onward');
    expect(await app.complete('liveness', await person.back())).toMatchObject({ failure: 'SessionAborted' });
    await person.close();
  });

  test('leaves the capture to a provider’s own client where the provider has one, and sends no frame', async () => {
    const person = await opened('liveness');
    const { page } = person;
    const module = `${place.url}/pki/assets/client.js`;
    await page.route(module, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'export async function capture(about) { window.asked = { ...about, container: about.container.isConnected }; }',
      }),
    );
    await page.route('**/captures', async (route) => {
      const begun = (await (await route.fetch()).json()) as object;
      const capture = { kind: 'module', module, sessionId: 'at-the-provider', region: 'us-east-1' };
      await route.fulfill({ json: { ...begun, capture } });
    });
    const sent = page.waitForRequest('**/captures/current');
    await person.lookIntoCamera();
    await person.attempt();
    expect((await sent).postDataJSON()).toEqual({
      token: new URL(person.sessionUrl).searchParams.get('token'),
    });
    expect(await page.evaluate('window.asked')).toEqual({
      sessionId: 'at-the-provider',
      region: 'us-east-1',
      language: 'en',
      container: true,
    });
    await person.close();
  });

  test('says that its time is over, and leads back', async () => {
    const person = await opened('liveness');
    const session = await bioSessions.get(person.sessionId);
    if (session) await bioSessions.change(session, { expiresAtMs: Date.now() - 1 });
    await person.lookIntoCamera();
    await person.attempt();
    expect(await person.said('failed')).toContain('The time for this check is over');
    await shoot(person.page, 'expired');
    await person.page.reload();
    expect(await person.said('failed')).toContain('ended before it was done');
    await person.press('onward');
    expect(await app.complete('liveness', await person.back())).toMatchObject({ success: false });
    await person.close();
  });

  test('goes over to a phone where one is required, and this page goes on when that is done', async () => {
    const desk = await opened('liveness', { platformPreference: 'RequireMobile' });
    await desk.page.getByRole('img', { name: 'Code that opens this check on a phone' }).waitFor();
    await looked(desk.page, 'phone-code');
    expect(await desk.page.locator('[data-act=here]').count()).toBe(0);
    const link = await desk.page.locator('.link').getAttribute('href');
    const phone = await visit(place, link ?? '', PHONE);
    await phone.lookIntoCamera();
    await phone.attempt();
    expect(await phone.said('passed')).toContain('Go on at your computer');
    await shoot(phone.page, 'phone-passed');
    expect(await app.complete('liveness', await desk.back())).toMatchObject({ success: true });
    await Promise.all([desk.close(), phone.close()]);
  });

  test('hands the ticket to the page that embeds it, and is embedded by no other origin', async () => {
    let body = '';
    const site = await startServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(body),
    );
    const trustedOrigin = `http://localhost:${site.port}`;
    await registerValue('pki', 'sandbox', 'trustedOrigins', trustedOrigin);
    const { sessionUrl, sessionId } = await app.start('liveness', { returnUrl: null, trustedOrigin });
    body = `<!doctype html><iframe allow="camera" width="700" height="700" src="${sessionUrl}"></iframe>
<script>addEventListener('message', ({ data, origin }) => { window.told = { ...data, origin }; });</script>`;
    const context = await place.browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(site.url);
    expect(refused.join()).toContain('frame-ancestors');

    await page.goto(trustedOrigin);
    const frame = page.frameLocator('iframe');
    const press = (act: string) => click(frame.locator(`[data-act=${act}]:visible`));
    await press('start');
    await press('begin');
    await page.waitForFunction('window.told');
    const told = (await page.evaluate('window.told')) as Record<string, string>;
    expect(told).toMatchObject({ type: 'sinete.bio-session', sessionId, origin: place.url });
    await takePicture(page, 'bio-embedded');
    expect(await app.complete('liveness', told.completeTicket ?? '')).toMatchObject({ success: true });
    await context.close();
    await site.stop();
  });

  test('opens nothing without its secret, and says without scripts what they are needed for', async () => {
    const { sessionUrl } = await app.start('liveness');
    const stranger = await visit(place, sessionUrl.replace(/token=.*/, 'token=none'));
    expect(stranger.status).toBe(404);
    await looked(stranger.page, 'unknown');
    await stranger.close();
    const person = await visit(place, sessionUrl, { javaScriptEnabled: false });
    expect(await person.page.locator('noscript').textContent()).toContain('JavaScript');
    expect(await acts(person.page).view('intro').isVisible()).toBe(true);
    expect(await person.page.locator('[data-act=start]').isVisible()).toBe(false);
    await person.close();
  });
});
