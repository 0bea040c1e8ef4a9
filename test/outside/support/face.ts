import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath =
  [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path)) ?? 'chromium';

/** A person opens the page of a biometric session, is seen by a camera and comes back: gives the ticket. */
export async function showFace(sessionUrl: string, returnUrl: string): Promise<string> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
    ],
  });
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(sessionUrl);
    await page.getByRole('button', { name: 'Turn the camera on' }).click();
    await page.getByRole('button', { name: 'I am ready' }).click();
    await page.waitForURL(`${returnUrl}?**`);
    return new URL(page.url()).searchParams.get('completeTicket') ?? '';
  } finally {
    await browser.close();
  }
}
