import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** An otherwise empty page that runs this module under the policy of the house's own pages. */
export async function pageOf(
  browser: Browser,
  module: string,
): Promise<{ page: Page; origin: string; stop(): Promise<void> }> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: module, resolveDir: process.cwd(), loader: 'ts', sourcefile: 'page.ts' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: '/',
    write: false,
  });
  const scripts = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (script) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY })
      .end('<!doctype html><link rel="icon" href="data:,"><script type="module" src="/stdin.js"></script>');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  // WebCrypto is there on https and on this machine's own name only.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  await page.goto(origin);
  const stop = async () => {
    await page.close();
    server.close();
  };
  return { page, origin, stop };
}
