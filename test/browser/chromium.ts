import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { describe } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium on this machine, if it has one; CHROMIUM names another. */
export const chromiumPath = [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path));

// In CI one that fails is tried once more. It depends on luck, and is to be mended: the end of the output names it, and
// more than two fail the run. On a developer's machine it fails.
const OPTIONS = { retry: process.env.CI ? 1 : 0 };

/** Tests that need Chromium and more, which is here. In CI nothing that they need may be missing. */
export const describeInChromiumWith =
  (isHere: boolean) =>
  (name: string, tests: () => void): void => {
    describe.skipIf(!(chromiumPath && isHere) && !process.env.CI)(name, OPTIONS, tests);
  };

export const describeInChromium = describeInChromiumWith(true);

// The same engine without windows and menus: a page opens in a third of the time.
const SHELL = '/usr/bin/chromium-headless-shell';
const shellPath = !process.env.CHROMIUM && existsSync(SHELL) ? SHELL : chromiumPath;

// Nothing that reaches out by itself.
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const open = (flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: shellPath ?? 'chromium', args: [...FLAGS, ...flags] });

// For the life of the process, with which it ends: modules are loaded anew for each file.
const OPEN = Symbol.for('tests.chromium');
const shared = globalThis as { [OPEN]?: Browser };

/** The Chromium of this process, with nothing open of the file before. */
export async function openBrowser(): Promise<Browser> {
  if (!shared[OPEN]?.isConnected()) shared[OPEN] = await open();
  const browser = shared[OPEN];
  await Promise.all(browser.contexts().map((context) => context.close()));
  return browser;
}

// Nobody is there to be asked, so that each browser has one answer for every page. Few pictures a second: seven pages
// at once look into it.
const CAMERAS = {
  allowed: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=fps=10'],
  refused: ['--use-fake-ui-for-media-stream=deny', '--use-fake-device-for-media-stream=fps=10'],
  missing: ['--use-fake-ui-for-media-stream'],
} as const;

/** A browser whose person has a camera and lets every page use it, or none; or who has no camera. */
export const openBrowserWithCamera = (camera: keyof typeof CAMERAS): Promise<Browser> =>
  open(CAMERAS[camera]);

// The browser's own viewer of PDF asks the browser itself for its parts.
const NO_HOST = /^(data|blob|chrome|chrome-extension):/;

/** What a page did that it should not: asked another host, or complained in its console. */
export function watch(page: Page, origin: string): { readonly outside: string[]; readonly errors: string[] } {
  const seen = { outside: [] as string[], errors: [] as string[] };
  page.on('request', (request) => {
    const url = request.url();
    if (!NO_HOST.test(url) && new URL(url).origin !== origin) seen.outside.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  return seen;
}

/** A page as a person in São Paulo opens it, in a context of its own. */
export async function openPageAt(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Clicks, and waits for all of the page where that leads. A click by itself ends at the first byte of it. */
export async function click(what: Locator): Promise<void> {
  await what.click();
  await what.page().waitForLoadState();
}

/**
 * Takes a picture of a whole page for people to look at, where SCREENSHOTS names a folder. No test looks at it.
 * @example await takePicture(page, 'dashboard-home-phone-dark'); // SCREENSHOTS=.local/screenshots npm test -- test/browser
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
